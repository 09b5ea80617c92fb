/* SPDX-License-Identifier: BSD-3-Clause */
/* trouble.c - what the complaints of PBS's commands mean
 *
 * Exit statuses are the low bytes of error numbers and clash with those of the
 * commands themselves, so only words count.  Everything that is not listed is
 * TROUBLE_UNCLEAR: after a lost reply a job may exist.
 */
#include "config.h"

#include <string.h>

#include "base/compiler.h"
#include "base/strvec.h"
#include "pbs/trouble.h"

static const char see_queue[] = "look at `queue` of the profile";
static const char see_account[] = "look at `account` of the profile";
static const char see_node[] =
    "look at `node`, `gres` and `directives` of the profile";
static const char see_limits[] =
    "look at the task's walltime, and at `node`, `limits: walltime:` and "
    "`queue` of the profile";
static const char see_submit[] =
    "`limits: submit:` of the profile keeps below it";
static const char see_directives[] = "look at `directives` of the profile";

/* The first that is found counts. */
static const struct trouble_text troubles[] = {
    /* The request or its answer was lost: nobody knows. */
    { "annot connect to server", TROUBLE_UNCLEAR, NULL },
    { "Couldn't connect to cluster", TROUBLE_UNCLEAR, NULL },
    { "End of File", TROUBLE_UNCLEAR, NULL },
    /* Not now. */
    { "would exceed ", TROUBLE_FULL, see_submit },
    { "Maximum number of jobs already in", TROUBLE_FULL, see_submit },
    { "Queue is not enabled", TROUBLE_FULL, see_queue },
    /* A job that is not there, or no longer. */
    { "Unknown Job Id", TROUBLE_UNKNOWN_JOB, NULL },
    { "illegally formed job identifier", TROUBLE_UNKNOWN_JOB, NULL },
    { "Job has finished", TROUBLE_OVER, NULL },
    { "Request invalid for state of job", TROUBLE_OVER, NULL },
    { "Request invalid for finished array subjob", TROUBLE_OVER, NULL },
    /* No. */
    { "Array job exceeds server or queue size limit", TROUBLE_REFUSED,
      "`limits: elements:` of the profile must not exceed max_array_size" },
    { "Job violates queue and/or server resource limits", TROUBLE_REFUSED,
      see_limits },
    { "Unknown queue", TROUBLE_REFUSED, see_queue },
    { "illegal 'destination' value", TROUBLE_REFUSED, see_queue },
    { "Unauthorized Request", TROUBLE_REFUSED, see_queue },
    { "Access from host not allowed", TROUBLE_REFUSED, see_queue },
    { "Bad UID for job execution", TROUBLE_REFUSED,
      "PBS runs no jobs of this user; root's only if acl_roots names it" },
    { "Bad GID for job execution", TROUBLE_REFUSED, NULL },
    { "nvalid account", TROUBLE_REFUSED, see_account },
    { "Unknown resource", TROUBLE_REFUSED, see_node },
    { "node(s) specification error", TROUBLE_REFUSED, see_node },
    { "cannot be used with \"select\"", TROUBLE_REFUSED, see_directives },
    { "Cannot have \"place\" without", TROUBLE_REFUSED, see_directives },
    { "Illegal attribute or resource value", TROUBLE_REFUSED, see_directives },
    { "cannot send environment with the job", TROUBLE_REFUSED, NULL },
    { "directive error", TROUBLE_REFUSED, see_directives },
    { "illegal -J value", TROUBLE_REFUSED,
      "without `limits: running:` releases before 2020 take it" },
    { "illegal -", TROUBLE_REFUSED, see_directives },
    { "invalid option", TROUBLE_REFUSED, see_directives },
    { "usage: q", TROUBLE_REFUSED, see_directives },
    /* What a site's own checks answer. */
    { "submit filter", TROUBLE_REFUSED, see_directives },
    { "hook rejected", TROUBLE_REFUSED, see_directives },
};

enum trouble pbs_trouble (const char *message, const char **advice)
{
    const struct trouble_text *found =
        trouble_find (troubles, ARRAY_SIZE (troubles), message);

    if (advice)
        *advice = found ? found->advice : NULL;
    return found ? found->trouble : TROUBLE_UNCLEAR;
}

bool pbs_only_unknown (const char *message)
{
    struct strvec lines = STRVEC_INIT;
    size_t others = 0;
    bool any;

    strvec_split (&lines, message, "\n");
    for (size_t i = 0; i < lines.n; i++)
        others += !strstr (lines.v[i], "Unknown Job Id");
    any = lines.n > 0;
    strvec_release (&lines);
    return any && others == 0;
}

const char *const pbs_prefixes[] = {
    "qsub: ", "qstat: ", "qdel: ", "qrls: ", "qselect: ", "pbsnodes: ", NULL,
};
