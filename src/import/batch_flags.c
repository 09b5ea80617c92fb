/* SPDX-License-Identifier: BSD-3-Clause */
/* batch_flags.c - "#SBATCH -t 12:00:00" as keys of a profile */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/json.h"
#include "base/strvec.h"
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

void batch_flags_time (struct batch_flags *flags, const char *text)
{
    bool minutes = *text && strspn (text, "0123456789") == strlen (text);
    char *written = minutes ? xasprintf ("%sm", text) : xstrdup (text);
    double s;

    if (parse_duration (written, &s) == 0 && s > 0 && s < 1e9) {
        free (flags->walltime);
        flags->walltime = (int64_t)s % 3600 == 0
                              ? xasprintf ("%lldh", (long long)s / 3600)
                              : xasprintf ("%lldm", (long long)(s + 59) / 60);
    }
    free (written);
}

/* "16G", "16000" (MiB), "16GB". */
static void add_memory (struct batch_flags *flags, const char *text)
{
    size_t digits = strspn (text, "0123456789.");
    const char *unit = text + digits;
    char *written;
    int64_t bytes;

    written = xasprintf ("%.*s%ciB", (int)digits, text,
                         *unit ? (*unit & ~0x20) : 'M');
    if (digits > 0 && parse_bytes (written, &bytes) == 0)
        flags->memory_bytes = bytes;
    free (written);
}

/* "gpu:a100:2": the name, and how many. */
static void add_gres (struct batch_flags *flags, const char *text)
{
    const char *colon = strrchr (text, ':');
    long long n = colon ? strtoll (colon + 1, NULL, 10) : 0;

    if (n > 0 && n < 1000) {
        char *name = xstrndup (text, (size_t)(colon - text));

        flags->gpus = n;
        set_text (&flags->gres, name);
        free (name);
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
    { "-W", NULL, USE_TIME, "walltime" },
    { "walltime", NULL, USE_TIME, "walltime" },
    { "--mem", NULL, USE_MEMORY, "task.memory of the stage" },
    { "mem", NULL, USE_MEMORY, "task.memory of the stage" },
    { "-p", "slurm", USE_QUEUE, "partition of the profile" },
    { "--partition", NULL, USE_QUEUE, "partition of the profile" },
    { "-q", "pbs", USE_QUEUE, "queue of the profile" },
    { "-q", "torque", USE_QUEUE, "queue of the profile" },
    { "-q", "slurm", USE_QOS, "qos of the profile" },
    { "--qos", NULL, USE_QOS, "qos of the profile" },
    { "-A", NULL, USE_ACCOUNT, "account of the profile" },
    { "--account", NULL, USE_ACCOUNT, "account of the profile" },
    { "--gres", NULL, USE_GRES, "gres of the profile, task.gpus of the stage" },
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
    { "-l", NULL, USE_OURS, NULL },
};

static void use (struct batch_flags *flags, enum flag_use how,
                 const char *value)
{
    switch (how) {
    case USE_TIME:
        batch_flags_time (flags, value);
        break;
    case USE_MEMORY:
        add_memory (flags, value);
        break;
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
    case USE_OURS:
        break;
    }
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
        use (flags, options[i].use, flag_value (word, next));
        if (options[i].words)
            key_report_say (report, path, KEY_TRANSLATED, "%s",
                            options[i].words);
        else
            key_report_say (report, path, KEY_NOT_NEEDED,
                            "left out: Fanfold sets this option itself");
        return true;
    }
    return false;
}

void batch_flags_add (struct batch_flags *flags, const char *scheduler,
                      const char *line, const char *path,
                      struct key_report *report)
{
    struct strvec words = STRVEC_INIT;
    size_t first;
    bool batch = strcmp (scheduler, "local") != 0;

    strvec_split (&words, line, " \t\r\n");
    first = words.n > 0 && words.v[0][0] == '#';
    if (words.n == first) {
        key_report_say (report, path, KEY_NOT_NEEDED, "empty");
    } else if (strcmp (words.v[first], "-l") == 0 && words.n > first + 1) {
        /* PBS: "-l walltime=10:00:00". */
        if (!add_known (flags, scheduler, words.v[first + 1], NULL, path,
                        report))
            key_report_say (report, path, KEY_NOT_NEEDED,
                            "left out: task: of the stage says what is needed");
    } else if (!add_known (flags, scheduler, words.v[first],
                           words.n > first + 1 ? words.v[first + 1] : NULL,
                           path, report)) {
        const char *end = words.v[words.n - 1];
        char *text = NULL;

        if (words.v[first][0] != '-' || end[strlen (end) - 1] == '=') {
            key_report_say (report, path, KEY_UNSUPPORTED,
                            "left out: it says nothing that is understood");
        } else if (!batch) {
            key_report_say (report, path, KEY_NOT_NEEDED,
                            "left out: the profile has no scheduler");
        } else {
            text = xstrdup (words.v[first]);
            for (size_t i = first + 1; i < words.n; i++) {
                char *longer = xasprintf ("%s %s", text, words.v[i]);

                free (text);
                text = longer;
            }
            json_push (flags->directives, json_string (text));
            key_report_say (report, path, KEY_TRANSLATED,
                            "directives of the profile");
        }
        free (text);
    }
    strvec_release (&words);
}
