/* SPDX-License-Identifier: BSD-3-Clause */
/* batch_flags.c - "#SBATCH -t 12:00:00" as keys of a profile */
#include "base/base.h"

#include "base/json.h"
#include "base/units.h"
#include "import/batch_flags.h"
#include "import/key_report.h"

void batch_flags_init (struct batch_flags *flags)
{
    *flags = (struct batch_flags){ .directives = json_array () };
}

void batch_flags_release (struct batch_flags *flags)
{
    free (flags->walltime);
    free (flags->queue);
    free (flags->account);
    free (flags->qos);
    free (flags->gres);
    json_unref (flags->directives);
}

static void set_text (char **to, const char *text)
{
    free (*to);
    *to = xstrdup (text);
}

bool batch_flags_time (struct batch_flags *flags, const char *text)
{
    bool minutes = *text && strspn (text, "0123456789") == strlen (text);
    _cleanup_free_ char *written =
        minutes ? xasprintf ("%sm", text) : xstrdup (text);
    double s;
    bool is_time = parse_duration (written, &s) == 0 && s > 0 && s < 1e9;

    if (is_time) {
        free (flags->walltime);
        flags->walltime = (int64_t)s % 3600 == 0
                              ? xasprintf ("%lldh", (long long)s / 3600)
                              : xasprintf ("%lldm", (long long)(s + 59) / 60);
    }
    return is_time;
}

/* "16G", "16000" (MiB), "16GB". */
static bool add_memory (struct batch_flags *flags, const char *text)
{
    size_t digits = strspn (text, "0123456789.");
    const char *unit = text + digits;
    _cleanup_free_ char *written = NULL;
    int64_t bytes = 0;

    written = xasprintf ("%.*s%ciB", (int)digits, text,
                         *unit ? (*unit & ~0x20) : 'M');
    if (digits > 0 && parse_bytes (written, &bytes) == 0 && bytes > 0)
        flags->memory_bytes = bytes;
    return bytes > 0;
}

/* "gpu:a100:2": the name, and how many. */
static void add_gres (struct batch_flags *flags, const char *text)
{
    const char *colon = strrchr (text, ':');
    long long n = colon ? strtoll (colon + 1, NULL, 10) : 0;

    if (n > 0 && n < 1000) {
        _cleanup_free_ char *name = xstrndup (text, (size_t)(colon - text));

        flags->gpus = n;
        set_text (&flags->gres, name);
    } else {
        flags->gpus = 1;
        set_text (&flags->gres, text);
    }
    /* What a profile says without it. */
    if (strcmp (flags->gres, "gpu") == 0) {
        free (flags->gres);
        flags->gres = NULL;
    }
}

enum flag_use {
    USE_TIME,
    USE_MEMORY,
    USE_QUEUE,
    USE_ACCOUNT,
    USE_QOS,
    USE_GRES,
    USE_GPUS,
    USE_OURS
};

static const struct {
    const char *option;
    const char *scheduler; /* NULL: of any */
    enum flag_use use;
    const char *words;
} options[] = {
    { "-t", NULL, USE_TIME, "walltime" },
    { "--time", NULL, USE_TIME, "walltime" },
    { "-W", "local", USE_TIME, "walltime" }, /* of LSF */
    { "--mem", NULL, USE_MEMORY, "task.memory of the stage" },
    { "-p", "slurm", USE_QUEUE, "partition of the profile" },
    { "--partition", NULL, USE_QUEUE, "partition of the profile" },
    { "-q", "pbs", USE_QUEUE, "queue of the profile" },
    { "-q", "slurm", USE_QOS, "qos of the profile" },
    { "--qos", NULL, USE_QOS, "qos of the profile" },
    { "-A", NULL, USE_ACCOUNT, "account of the profile" },
    { "--account", NULL, USE_ACCOUNT, "account of the profile" },
    { "--gres", NULL, USE_GRES, "gres of the profile, task.gpus of the stage" },
    { "--gpus", NULL, USE_GPUS, "task.gpus of the stage" },
    { "-G", NULL, USE_GPUS, "task.gpus of the stage" },
    { "--gpus-per-node", NULL, USE_GPUS, "task.gpus of the stage" },
    { "-J", NULL, USE_OURS, NULL },
    { "--job-name", NULL, USE_OURS, NULL },
    { "-N", NULL, USE_OURS, NULL },
    { "--nodes", NULL, USE_OURS, NULL },
    { "-n", NULL, USE_OURS, NULL },
    { "--ntasks", NULL, USE_OURS, NULL },
    { "--ntasks-per-node", NULL, USE_OURS, NULL },
    { "-c", NULL, USE_OURS, NULL },
    { "--cpus-per-task", NULL, USE_OURS, NULL },
    { "-o", NULL, USE_OURS, NULL },
    { "--output", NULL, USE_OURS, NULL },
    { "-e", NULL, USE_OURS, NULL },
    { "--error", NULL, USE_OURS, NULL },
    { "--export", NULL, USE_OURS, NULL },
    { "-D", NULL, USE_OURS, NULL },
    { "--chdir", NULL, USE_OURS, NULL },
    { "-a", NULL, USE_OURS, NULL },
    { "--array", NULL, USE_OURS, NULL },
    { "-j", NULL, USE_OURS, NULL },
    { "-V", NULL, USE_OURS, NULL },
};

/* false: 'value' is not understood, and nothing was taken of it. */
static bool use (struct batch_flags *flags, enum flag_use how,
                 const char *value)
{
    char *gres;

    if (!*value && how != USE_OURS)
        return false;
    switch (how) {
    case USE_TIME:
        return batch_flags_time (flags, value);
    case USE_MEMORY:
        return add_memory (flags, value);
    case USE_QUEUE:
        set_text (&flags->queue, value);
        break;
    case USE_ACCOUNT:
        set_text (&flags->account, value);
        break;
    case USE_QOS:
        set_text (&flags->qos, value);
        break;
    case USE_GRES:
        add_gres (flags, value);
        break;
    case USE_GPUS: /* "2", "a100:2" */
        gres = xasprintf ("gpu:%s", value);
        add_gres (flags, gres);
        free (gres);
        break;
    case USE_OURS:
        break;
    }
    return true;
}

static const char *flag_value (const char *word, const char *next)
{
    const char *equals = strchr (word, '=');

    return equals ? equals + 1 : next ? next : "";
}

/* 0: no option that is known. */
static bool add_known (struct batch_flags *flags, const char *scheduler,
                       const char *word, const char *next, const char *path,
                       struct key_report *report)
{
    size_t len = strcspn (word, "=");

    for (size_t i = 0; i < ARRAY_SIZE (options); i++) {
        if (strlen (options[i].option) != len
            || strncmp (options[i].option, word, len) != 0
            || (options[i].scheduler
                && strcmp (options[i].scheduler, scheduler) != 0))
            continue;
        if (!use (flags, options[i].use, flag_value (word, next)))
            key_report_say (report, path, KEY_UNSUPPORTED,
                            "left out: '%.40s' is not understood; say %s",
                            flag_value (word, next), options[i].words);
        else if (options[i].words)
            key_report_say (report, path, KEY_TRANSLATED, "%s",
                            options[i].words);
        else
            key_report_say (report, path, KEY_NOT_NEEDED,
                            "left out: Fanfold sets this option itself");
        return true;
    }
    return false;
}

/* --- resources of PBS: -l nodes=1:ppn=4,walltime=24:00:00 --- */

struct resource_list {
    struct batch_flags *flags;
    bool batch;
    struct strbuf taken, sizes, refused; /* what became of its items */
};

static void name_item (struct strbuf *list, const char *item)
{
    strbuf_addf (list, "%s%s", list->len > 0 ? ", " : "", item);
}

/* The memory of a chunk, "1:ncpus=4:mem=16gb". */
static void take_chunk (struct resource_list *list, const char *chunk)
{
    const char *memory = strstr (chunk, ":mem=");
    _cleanup_free_ char *value = NULL;

    if (!memory)
        return;
    memory += strlen (":mem=");
    value = xstrndup (memory, strcspn (memory, ":+"));
    name_item (add_memory (list->flags, value) ? &list->taken : &list->refused,
               "memory");
}

static void take_resource (struct resource_list *list, const char *item)
{
    static const char *const sizes[] = { "nodes",    "select", "ncpus", "ppn",
                                         "nodect",   "procs",  "ngpus", "place",
                                         "mpiprocs", NULL };
    size_t len = strcspn (item, "=");
    const char *value = item[len] ? item + len + 1 : "";
    _cleanup_free_ char *name = xstrndup (item, len);

    if (strcmp (name, "walltime") == 0) {
        name_item (batch_flags_time (list->flags, value) ? &list->taken
                                                         : &list->refused,
                   item);
    } else if (strcmp (name, "mem") == 0) {
        name_item (add_memory (list->flags, value) ? &list->taken
                                                   : &list->refused,
                   item);
    } else if (words_contain (sizes, name)) {
        name_item (&list->sizes, name);
        take_chunk (list, value);
    } else if (list->batch) {
        json_push (list->flags->directives, json_stringf ("-l %s", item));
        name_item (&list->taken, item);
    } else {
        name_item (&list->refused, item);
    }
}

static void say_resources (const struct resource_list *list, const char *path,
                           struct key_report *report)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (list->taken.len > 0)
        strbuf_addf (&text, "taken over: %s", list->taken.buf);
    if (list->sizes.len > 0)
        strbuf_addf (&text, "%sleft out: %s (task: of the stage says it)",
                     text.len > 0 ? "; " : "", list->sizes.buf);
    if (list->refused.len > 0)
        strbuf_addf (&text, "%snot understood: %s", text.len > 0 ? "; " : "",
                     list->refused.buf);
    key_report_say (report, path,
                    list->refused.len > 0 ? KEY_UNSUPPORTED
                    : list->taken.len > 0 ? KEY_TRANSLATED
                                          : KEY_NOT_NEEDED,
                    "%s", text.buf);
}

static void add_resources (struct batch_flags *flags, bool batch,
                           const char *text, const char *path,
                           struct key_report *report)
{
    struct resource_list list = { flags, batch, STRBUF_INIT, STRBUF_INIT,
                                  STRBUF_INIT };
    struct strvec items = STRVEC_INIT;

    strvec_split (&items, text, ", ");
    for (size_t i = 0; i < items.n; i++)
        take_resource (&list, items.v[i]);
    say_resources (&list, path, report);
    strvec_release (&items);
    strbuf_release (&list.taken);
    strbuf_release (&list.sizes);
    strbuf_release (&list.refused);
}

/* What no key of a profile says. */
static void add_directive (struct batch_flags *flags, bool batch,
                           const struct strvec *words, size_t first,
                           const char *path, struct key_report *report)
{
    const char *end = words->v[words->n - 1];
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    if (words->v[first][0] != '-' || end[strlen (end) - 1] == '=') {
        key_report_say (report, path, KEY_UNSUPPORTED,
                        "left out: '%.60s' is no option that is understood",
                        words->v[first]);
    } else if (!batch) {
        key_report_say (report, path, KEY_NOT_NEEDED,
                        "left out: the profile has no scheduler");
    } else {
        for (size_t i = first; i < words->n; i++)
            strbuf_addf (&text, "%s%s", i > first ? " " : "", words->v[i]);
        json_push (flags->directives, json_string (text.buf));
        key_report_say (report, path, KEY_TRANSLATED,
                        "directives of the profile");
    }
}

void batch_flags_add (struct batch_flags *flags, const char *scheduler,
                      const char *line, const char *path,
                      struct key_report *report)
{
    _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;
    bool batch = strcmp (scheduler, "local") != 0;
    const char *word, *next;
    size_t first;

    strvec_split (&words, line, " \t\r\n");
    first = words.n > 0 && words.v[0][0] == '#';
    word = words.n > first ? words.v[first] : "";
    next = words.n > first + 1 ? words.v[first + 1] : NULL;
    if (!*word)
        key_report_say (report, path, KEY_NOT_NEEDED, "empty");
    else if (strcmp (word, "-l") == 0 && next)
        add_resources (flags, batch, next, path, report);
    else if (strncmp (word, "-l", 2) == 0 && word[2])
        add_resources (flags, batch, word + 2, path, report);
    else if (!add_known (flags, scheduler, word, next, path, report))
        add_directive (flags, batch, &words, first, path, report);
}
