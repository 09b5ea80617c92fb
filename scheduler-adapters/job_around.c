/* SPDX-License-Identifier: BSD-3-Clause */
/* job_around.c - the job that the calling process is part of */
#include "base/base.h"

#include <unistd.h>

#include "adapter.h"
#include "base/file.h"
#include "command_scheduler.h"
#include "job_around.h"

bool job_around_find (struct job_around *around)
{
    const struct scheduler_adapter *adapter;

    for (size_t i = 0; (adapter = scheduler_adapter_at (i)); i++) {
        const struct command_scheduler *commands = adapter->commands;
        const char *id = commands && commands->job_nodes
                             ? getenv (commands->job_variable)
                             : NULL;
        int nodes;

        if (!id || !commands->is_id (id))
            continue;
        nodes = commands->job_nodes ();
        *around = (struct job_around){
            .adapter = adapter,
            .id = id,
            .nodes = nodes > 0 ? nodes : 1,
            .node = commands->node_variable ? getenv (commands->node_variable)
                                            : NULL,
        };
        return true;
    }
    return false;
}

/* --- how long it lasts --- */

/* How long to wait for the answer. */
static const double ask_s = 10;

enum answer job_around_time_left (const struct job_around *around,
                                  double *left_s, struct error *err)
{
    const struct scheduler scheduler = { .adapter = around->adapter,
                                         .deadline_s = ask_s };
    enum answer answer = ANSWER_BROKEN;

    if (around->adapter->time_left)
        answer = around->adapter->time_left (&scheduler, left_s, err);
    if (answer != ANSWER_BROKEN)
        return answer;
    *left_s = INFINITY;
    return ANSWER_OK;
}

/* --- telling its other nodes of it --- */

enum { VARIABLES_MAX_BYTES = 1 << 20 };

static bool is_told (const struct command_scheduler *commands,
                     const char *entry)
{
    const char *const *name = commands->site_variables;
    size_t n = strcspn (entry, "=");

    if (strchr (entry, '\n'))
        return false;
    while (name && *name
           && !(strlen (*name) == n && strncmp (entry, *name, n) == 0))
        name++;
    return (name && *name) || strncmp (entry, "PATH=", 5) == 0;
}

int job_around_write (const struct job_around *around, const char *path,
                      struct error *err)
{
    const struct command_scheduler *commands = around->adapter->commands;
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    strbuf_addf (&text, "%s=%s\n", commands->job_variable, around->id);
    for (char **e = environ; *e; e++) {
        if (is_told (commands, *e))
            strbuf_addf (&text, "%s\n", *e);
    }
    return file_write_atomic (path, text.buf, text.len, err);
}

int job_around_take_over (const char *path, struct error *err)
{
    struct strbuf text = STRBUF_INIT;
    _cleanup_ (strvec_release) struct strvec entries = STRVEC_INIT;
    struct job_around around;

    if (job_around_find (&around))
        return 0;
    if (file_read (path, VARIABLES_MAX_BYTES, &text, err) < 0)
        return -1;
    strvec_split (&entries, text.buf, "\n");
    for (size_t i = 0; i < entries.n; i++) {
        char *value = strchr (entries.v[i], '=');

        if (value) {
            *value = '\0';
            setenv (entries.v[i], value + 1, 1);
        }
    }
    strbuf_release (&text);
    return 0;
}
