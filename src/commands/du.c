/* SPDX-License-Identifier: BSD-3-Clause */
/* du.c - what the campaign takes of the disk */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "base/problems.h"
#include "base/units.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/command.h"
#include "commands/disk_use.h"
#include "report/table.h"
#include "report/unneeded.h"

/* --- what nothing needs --- */

static void look_at_stage (const struct plan *plan, const struct state *state,
                           int stage, struct disk_use *use)
{
    for (int i = 0; i <= state_iteration (state); i++) {
        const char *dir = state_dir_name (state, i, plan->stages[stage].name);
        struct disk_row *row = disk_use_stage (use, dir, i);

        if (!row)
            continue;
        row->unneeded = unneeded_bytes (plan, state, stage, i);
        use->all.unneeded += row->unneeded;
    }
}

/* Of which stage a generation is, as far as it is in force. */
static void name_run (struct disk_row *row, void *arg)
{
    const struct state *state = arg;

    for (size_t i = 0; i < state->n_iterations; i++) {
        const struct iteration_state *it = &state->iterations[i];

        for (size_t k = 0; k < it->n_stages; k++) {
            if (it->stages[k].generation != row->generation)
                continue;
            snprintf (row->name, sizeof (row->name), "%s",
                      state_dir_name (state, (int)i, it->stages[k].name));
            row->iteration = (int)i;
        }
    }
}

static void name_runs (const struct invocation *invocation, const char *dir,
                       struct disk_use *use)
{
    struct engine engine = { 0 };

    if (engine_open (&engine, dir, invocation->program, NULL) < 0)
        return;
    disk_use_name_runs (use, name_run, &engine.state);
    engine_close (&engine);
}

/* Only a campaign that compiles tells what needs what. */
static void look_at_needs (const struct invocation *invocation, const char *dir,
                           struct disk_use *use)
{
    _cleanup_ (problems_release) struct problems problems = PROBLEMS_INIT;
    _cleanup_plan_ struct plan *plan =
        campaign_plan (invocation, false, NULL, NULL, &problems);
    struct engine engine = { 0 };

    use->all.unneeded = -1;
    if (plan && engine_open (&engine, dir, invocation->program, NULL) == 0) {
        use->all.unneeded = 0;
        for (size_t i = 0; i < plan->n_stages; i++)
            look_at_stage (plan, &engine.state, (int)i, use);
        engine_close (&engine);
    }
}

/* --- for programs --- */

static struct json *row_json (const struct disk_row *row)
{
    struct json *v = json_object ();

    if (row->kind != SPACE_KINDS)
        json_set (v, "kind", json_string (space_kind_name (row->kind)));
    if (row->name[0])
        json_set (v, row->kind == SPACE_DATASET ? "format" : "stage",
                  json_string (row->name));
    if (row->iteration >= 0)
        json_set (v, "iteration", json_int (row->iteration));
    json_set (v, "bytes", json_int (row->bytes));
    json_set (v, "inodes", json_int (row->inodes));
    if (row->kind == SPACE_STAGE || row->kind == SPACE_KINDS)
        json_set (v, "removed_bytes", json_int (row->freed));
    if (row->unneeded >= 0)
        json_set (v, "unneeded_bytes", json_int (row->unneeded));
    return v;
}

static struct json *use_json (const struct disk_use *use)
{
    struct json *v = json_object ();
    struct json *rows = json_array ();

    for (size_t i = 0; i < use->n; i++)
        json_push (rows, row_json (&use->rows[i]));
    json_set (v, "format", json_int (1));
    json_set (v, "rows", rows);
    json_set (v, "total", row_json (&use->all));
    return v;
}

/* --- for people --- */

static void push_bytes (struct strvec *cells, int64_t bytes)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (bytes > 0)
        format_bytes (bytes, &text);
    strvec_push (cells, text.len > 0 ? text.buf : "");
}

static void push_row (struct strvec *cells, const struct disk_row *row,
                      const char *what)
{
    strvec_push (cells, what);
    strvec_push (cells, row->name);
    if (row->iteration >= 0)
        strvec_pushf (cells, "%d", row->iteration);
    else
        strvec_push (cells, "");
    push_bytes (cells, row->bytes);
    strvec_pushf (cells, "%" PRId64, row->inodes);
    push_bytes (cells, row->freed);
    push_bytes (cells, row->unneeded);
}

static void print_text (const struct disk_use *use)
{
    static const char *const heads[] = { "what",    "name",   "iteration",
                                         "size",    "inodes", "removed",
                                         "unneeded" };
    _cleanup_ (strvec_release) struct strvec cells = STRVEC_INIT;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    for (size_t i = 0; i < ARRAY_SIZE (heads); i++)
        strvec_push (&cells, heads[i]);
    for (size_t i = 0; i < use->n; i++)
        push_row (&cells, &use->rows[i], space_kind_name (use->rows[i].kind));
    push_row (&cells, &use->all, "total");
    table_text (&cells, ARRAY_SIZE (heads), &text);
    fputs (text.buf, stdout);
    if (use->all.unneeded > 0) {
        strbuf_reset (&text);
        format_bytes (use->all.unneeded, &text);
        printf ("outputs of %s are there that nothing needs any more; `keep: "
                "until_used` of these outputs removes them\n",
                text.buf);
    }
}

static bool is_campaign (const char *dir)
{
    _cleanup_free_ char *file = path_join (dir, "campaign.yaml");
    _cleanup_free_ char *hidden = path_join (dir, LAYOUT_HIDDEN_DIR);

    return file_exists (file) || file_exists (hidden);
}

static enum exit_status du (const struct invocation *invocation)
{
    _cleanup_free_ char *dir = path_absolute (invocation->dir);
    _cleanup_ (disk_use_release) struct disk_use use = DISK_USE_INIT;
    enum exit_status status = STATUS_DONE;
    struct error err = ERROR_INIT;
    struct json *v;

    use.all = (struct disk_row){ .kind = SPACE_KINDS, .iteration = -1 };
    if (!is_campaign (dir)) {
        status = complain (STATUS_FAILED,
                           "%s: neither campaign.yaml nor %s is there; name "
                           "the campaign's directory with -C",
                           dir, LAYOUT_HIDDEN_DIR);
    } else if (disk_use_read (dir, &use, &err) < 0) {
        status = complain (STATUS_FAILED, "%s", err.text);
    } else {
        name_runs (invocation, dir, &use);
        look_at_needs (invocation, dir, &use);
        v = use_json (&use);
        if (invocation_option (invocation, "json"))
            print_json (v);
        else
            print_text (&use);
        json_unref (v);
    }
    return status;
}

static const struct command_option options[] = {
    { "json", NULL, "print the same as JSON" },
    { 0 },
};

const struct command du_command = {
    .name = "du",
    .summary = "tell what the campaign takes of the disk, stage by stage",
    .pages = true,
    .options = options,
    .run = du,
};
