/* SPDX-License-Identifier: BSD-3-Clause */
/* script_words.c - words of a profile that may stand in a job script */
#include "config.h"

#include <ctype.h>
#include <string.h>

#include "arrays/array_job.h"
#include "base/error.h"
#include "script_words.h"

static bool is_plain (const char *word)
{
    for (; *word; word++) {
        if (!isalnum ((unsigned char)*word) && !strchr ("_-.,:+@/=()*", *word))
            return false;
    }
    return true;
}

enum answer script_check_name (const char *scheduler,
                               const char *key,
                               const char *value,
                               struct error *err)
{
    if (!value || (*value && is_plain (value)))
        return ANSWER_OK;
    error_set (err, "%s: '%s' cannot be a name in %s", key, value, scheduler);
    return ANSWER_REFUSED;
}

/* Is 'directive' the option 'name' ("--array"), or its letter ("-a")? */
static bool is_option (const char *directive, const char *name)
{
    size_t len = strlen (name);

    if (strncmp (directive, name, len) != 0)
        return false;
    return name[1] != '-' || directive[len] == '\0'
           || strchr ("= \t", directive[len]);
}

static enum answer check_directive (const char *directive,
                                    const char *program,
                                    const char *const *ours,
                                    struct error *err)
{
    if (directive[0] != '-' || strpbrk (directive, "\n\r")) {
        error_set (err,
                   "directives: '%s' is no option of %s on one line; write it "
                   "as you would there",
                   directive, program);
        return ANSWER_REFUSED;
    }
    for (; *ours; ours++) {
        if (is_option (directive, *ours)) {
            error_set (err, "directives: '%s' is for fanfold to set; remove it",
                       directive);
            return ANSWER_REFUSED;
        }
    }
    return ANSWER_OK;
}

enum answer script_check_directives (const struct array_job *job,
                                     const char *program,
                                     const char *const *ours,
                                     struct error *err)
{
    for (size_t i = 0; i < job->directives.n; i++) {
        if (check_directive (job->directives.v[i], program, ours, err)
            != ANSWER_OK)
            return ANSWER_REFUSED;
    }
    return ANSWER_OK;
}
