/* SPDX-License-Identifier: BSD-3-Clause */
/* report_tasks.c - the slowest tasks, and those that failed */
#include "base/base.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/units.h"
#include "campaign/plan.h"
#include "commands/report_sections.h"
#include "commands/task_output.h"
#include "commands/task_record.h"
#include "engine/history/engine.h"
#include "report/page/page.h"
#include "report/page/report_facts.h"

enum { TASKS_SHOWN = 12, LINES_SHOWN = 8 };

/* A try that a summary names. */
struct told_try {
    int iteration;
    const char *stage;
    const struct json *v; /* lent */
};

struct told_tries {
    struct told_try v[TASKS_SHOWN];
    int n;
};

/* Keep those with the largest 'key', the largest first. */
static void keep_try (struct told_tries *tries, const char *key,
                      struct told_try new)
{
    int at = tries->n;

    while (at > 0
           && json_get_double (tries->v[at - 1].v, key)
                  < json_get_double (new.v, key))
        at--;
    if (at == TASKS_SHOWN)
        return;
    tries->n -= tries->n == TASKS_SHOWN;
    memmove (&tries->v[at + 1], &tries->v[at],
             (size_t)(tries->n - at) * sizeof (*tries->v));
    tries->v[at] = new;
    tries->n++;
}

static struct told_tries find_tries (const struct report_facts *facts,
                                     const char *list, const char *key)
{
    struct told_tries tries = { .n = 0 };

    for (int i = 0; i < facts->n_iterations; i++) {
        for (size_t k = 0; k < facts->n_stages; k++) {
            const struct json *all =
                json_get (report_tries (facts, i, k), list);

            for (size_t n = 0; n < json_count (all); n++)
                keep_try (
                    &tries, key,
                    (struct told_try){ i, facts->engine->plan->stages[k].name,
                                       json_at (all, n) });
        }
    }
    return tries;
}

/* What its newest try printed last, as far as that is kept. */
static char *last_lines (const struct engine *engine,
                         const struct told_try *try)
{
    _cleanup_ (task_record_release) struct task_record record =
        TASK_RECORD_INIT;
    struct task_output output = { NULL, 0, 0 };
    int task = (int)json_get_int (try->v, "task");
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream (&text, &size);

    if (to
        && task_record_find (engine, try->iteration, try->stage, task, 0,
                             &record, NULL)
               == 0)
        task_output_find (&record, task, &output);
    if (output.path)
        task_output_copy_end (&output, LINES_SHOWN, to, NULL);
    if (to)
        fclose (to);
    free (output.path);
    return text ? text : xstrdup ("");
}

static bool is_told (const struct section *section, const char *title)
{
    for (size_t i = 0; i < section->n_texts; i++) {
        if (strcmp (section->texts[i].title, title) == 0)
            return true;
    }
    return false;
}

/* Once of each task, though several of its tries may be named. */
static void add_lines (const struct report_facts *facts,
                       const struct told_tries *tries, struct section *section)
{
    for (int i = 0; i < tries->n; i++) {
        const struct told_try *try = &tries->v[i];
        _cleanup_free_ char *title = xasprintf (
            "Last lines of %s, iteration %d, task %" PRId64
            ", of its newest try",
            try->stage, try->iteration, json_get_int (try->v, "task"));
        _cleanup_free_ char *text = is_told (section, title)
                                        ? xstrdup ("")
                                        : last_lines (facts->engine, try);

        if (text[0])
            section_add_text (section, title, text);
    }
}

static void push_try (const struct told_try *try, bool failed,
                      struct strvec *cells)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    char when[CLOCK_ISO_SIZE];

    strvec_push (cells, try->stage);
    strvec_pushf (cells, "%d", try->iteration);
    strvec_pushf (cells, "%" PRId64, json_get_int (try->v, "task"));
    strvec_push (cells, json_get_string (try->v, "outcome"));
    strvec_push (cells, json_get_string (try->v, "node"));
    format_duration (json_get_double (try->v, "wall_s"), &text);
    strvec_push (cells, text.buf);
    strbuf_reset (&text);
    if (json_get_int (try->v, "peak_bytes") > 0)
        format_bytes (json_get_int (try->v, "peak_bytes"), &text);
    strvec_push (cells, text.buf);
    if (!failed)
        return;
    clock_iso_here (json_get_double (try->v, "ended_s"), when);
    strvec_push (cells, when);
    strvec_push (cells, json_get_string (try->v, "why"));
}

static void add_tries (const struct told_tries *tries, const char *title,
                       bool failed, struct section *section)
{
    static const char *const heads[] = { "stage",   "iteration", "task",
                                         "outcome", "node",      "time",
                                         "memory",  "ended",     "why" };
    size_t columns = ARRAY_SIZE (heads) - (failed ? 0 : 2);
    struct strvec cells = STRVEC_INIT;

    for (size_t i = 0; i < columns; i++)
        strvec_push (&cells, heads[i]);
    for (int i = 0; i < tries->n; i++)
        push_try (&tries->v[i], failed, &cells);
    section_add_table (section, title, columns, &cells);
    strvec_release (&cells);
}

void report_tasks (const struct report_facts *facts, struct page *page)
{
    struct section *section =
        page_add (page, "tasks", "Slowest and failed tasks");
    struct told_tries slowest = find_tries (facts, "slowest", "wall_s");
    struct told_tries failed = find_tries (facts, "failed", "ended_s");

    if (failed.n == 0)
        section_note (section, "No try of a task is known to have failed.");
    add_tries (&failed, "Tries that failed, the latest first", true, section);
    add_lines (facts, &failed, section);
    add_tries (&slowest, "Slowest tries", false, section);
    add_lines (facts, &slowest, section);
}
