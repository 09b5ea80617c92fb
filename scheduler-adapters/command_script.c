/* SPDX-License-Identifier: BSD-3-Clause */
/* command_script.c - an array job as a script of directives */
#include "base/base.h"

#include "arrays/array_job.h"
#include "command_scheduler.h"

/* --- words of a profile --- */

static bool is_plain (const char *word)
{
    for (; *word; word++) {
        if (!isalnum ((unsigned char)*word) && !strchr ("_-.,:+@/=()*", *word))
            return false;
    }
    return true;
}

/* The next word at *p, as a shell would read it, which moves behind it; "":
 * there is none.  The caller frees it.
 */
static char *take_word (const char **p)
{
    struct strbuf word = STRBUF_INIT;
    char quote = '\0';
    const char *c = *p + strspn (*p, " \t");

    strbuf_add_str (&word, "");
    for (; *c && (quote || !strchr (" \t", *c)); c++) {
        if (quote ? *c == quote : *c == '"' || *c == '\'')
            quote = quote ? '\0' : *c;
        else if (*c == '\\' && c[1] && quote != '\'')
            strbuf_add_char (&word, *++c);
        else
            strbuf_add_char (&word, *c);
    }
    *p = c;
    return strbuf_detach (&word);
}

/* "-a" reserves all that the letter says, */
static bool reserves_letter (const char *const *r, char letter)
{
    while (*r && !((*r)[1] == letter && (*r)[2] == '\0'))
        r++;
    return *r;
}

/* "-l walltime" one of the settings in its list. */
static bool reserves_setting (const char *const *r, char letter,
                              const char *list)
{
    for (; *r; r++) {
        if ((*r)[1] != letter || (*r)[2] != ' ')
            continue;
        for (const char *part = list; part; part = strchr (part, ',')) {
            part += *part == ',';
            if (strncmp (part, *r + 3, strlen (*r + 3)) == 0)
                return true;
        }
    }
    return false;
}

/* Is the word a reserved option of letters?  They are bundled: letters without
 * a value stand before one with a value, which is the rest or the 'next' word.
 */
static bool is_reserved_letter (const char *const *reserved,
                                const char *flag_letters, const char *word,
                                const char *next)
{
    const char *letter = word + 1, *value;

    while (*letter && strchr (flag_letters, *letter)
           && !reserves_letter (reserved, *letter))
        letter++;
    value = *letter && letter[1] ? letter + 1 : next + strspn (next, " \t");
    return *letter
           && (reserves_letter (reserved, *letter)
               || reserves_setting (reserved, *letter, value));
}

/* ... or one with a name, which may be abbreviated? */
static bool is_reserved_name (const char *const *r, const char *word)
{
    size_t len = strcspn (word, "=");

    while (*r && !(len > 2 && strncmp (*r, word, len) == 0))
        r++;
    return *r;
}

/* Is any word of it among those of the table? */
static bool is_reserved (const struct command_scheduler *commands,
                         const char *const *reserved, const char *directive)
{
    bool found = false;

    while (!found && *directive) {
        _cleanup_free_ char *word = take_word (&directive);

        if (strncmp (word, "--", 2) == 0)
            found = is_reserved_name (reserved, word);
        else if (word[0] == '-')
            found = is_reserved_letter (reserved, commands->flag_letters, word,
                                        directive);
    }
    return found;
}

static int check_directive (const struct command_scheduler *commands,
                            const char *directive, struct error *err)
{
    if (directive[0] != '-' || strpbrk (directive, "\n\r"))
        return error_set (err,
                          "directives: '%s' is no option of %s on one line; "
                          "write it as you would there",
                          directive, commands->program);
    if (is_reserved (commands, commands->reserved, directive))
        return error_set (err,
                          "directives: '%s' is for fanfold to set; remove it",
                          directive);
    return 0;
}

bool commands_sizes_job (const struct scheduler_adapter *adapter,
                         const char *directive)
{
    const struct command_scheduler *commands = adapter->commands;

    return commands->sizes
           && is_reserved (commands, commands->sizes, directive);
}

int commands_check_directive (const struct scheduler_adapter *adapter,
                              const char *directive, struct error *err)
{
    return check_directive (adapter->commands, directive, err);
}

static int check_job (const struct command_scheduler *commands,
                      const struct array_job *job, struct error *err)
{
    const struct {
        const char *key;
        const char *value;
    } names[] = { { commands->queue_key, job->queue },
                  { "account", job->account },
                  { "qos", job->qos },
                  { "gres", job->gres } };

    if (job->qos && !commands->has_qos)
        return error_set (err, "qos: %s has none; remove it, or name a %s",
                          commands->title, commands->queue_key);
    for (size_t i = 0; i < ARRAY_SIZE (names); i++) {
        const char *value = names[i].value;

        if (value && (!*value || !is_plain (value)))
            return error_set (err, "%s: '%s' cannot be a name in %s",
                              names[i].key, value, commands->title);
    }
    if (job->after && !commands->is_id (job->after))
        return error_set (err, "there is no %s job '%s' to wait for",
                          commands->title, job->after);
    for (size_t i = 0; i < job->directives.n; i++) {
        if (check_directive (commands, job->directives.v[i], err) < 0)
            return -1;
    }
    return 0;
}

/* --- directives --- */

void script_option (struct strbuf *script, const char *before,
                    const char *value)
{
    if (value)
        strbuf_addf (script, "%s%s\n", before, value);
}

void script_indices (struct strbuf *script, const char *before,
                     const struct array_job *job)
{
    strbuf_addf (script, "%s0-%" PRId64, before, job->elements - 1);
    if (job->running > 0)
        strbuf_addf (script, "%%%" PRId64, job->running);
    strbuf_add_char (script, '\n');
}

int job_cores (const struct array_job *job)
{
    return job->cores > 0 ? job->cores : 1;
}

int job_nodes (const struct array_job *job)
{
    return job->nodes > 1 ? job->nodes : 1;
}

int job_processes (const struct array_job *job)
{
    return job->nodes > 1 && job->ranks > 0 ? job->ranks : job_cores (job);
}

int64_t job_memory_mib (const struct array_job *job)
{
    return (job->memory_bytes + (1 << 20) - 1) >> 20;
}

/* --- the whole --- */

enum answer commands_render (const struct scheduler *scheduler,
                             const struct array_job *job, struct strbuf *script,
                             struct error *err)
{
    const struct command_scheduler *commands = scheduler->adapter->commands;

    if (check_job (commands, job, err) < 0)
        return ANSWER_REFUSED;
    strbuf_add_str (script, "#!/bin/bash -l\n");
    commands->head (job, script);
    for (size_t i = 0; i < job->directives.n; i++)
        script_option (script, commands->directive, job->directives.v[i]);
    if (commands->tail)
        commands->tail (job, script);
    job_script_log (job, commands->index, script);
    if (commands->environment)
        commands->environment (job, script);
    job_script_body (job, commands->index, commands->id, script);
    return ANSWER_OK;
}
