/* SPDX-License-Identifier: BSD-3-Clause */
/* site_findings.c - what a site is like means for campaigns */
#include "config.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/findings.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "command_scheduler.h"
#include "site_findings.h"

/* --- versions --- */

/* The version in what a command says of itself: from the first digit on. */
static const char *find_version (const char *text)
{
    while (*text && !isdigit ((unsigned char)*text))
        text++;
    return text;
}

/* Releases that differ in the first two numbers may speak different protocols.
 */
static bool read_release (const char *text, int *major, int *minor)
{
    return sscanf (text, "%d.%d", major, minor) == 2;
}

static void judge_version (const struct site *site, struct findings *findings)
{
    const char *said = site->commands_version ? site->commands_version : "";
    const char *server = site->version ? site->version : "";
    const char *ours = find_version (said);
    char *what = xasprintf ("%s: version", site->name);
    int major[2], minor[2];
    int len = (int)strcspn (ours, " \n");

    if (!read_release (ours, &major[0], &minor[0])
        || !read_release (server, &major[1], &minor[1]))
        findings_add (findings, GRADE_WARNING, what,
                      "are the commands on PATH wrappers that print other "
                      "words?",
                      "the version cannot be told from '%.*s' and '%s'",
                      (int)strcspn (said, "\n"), said, server);
    else if (major[0] != major[1] || minor[0] != minor[1])
        findings_add (findings, GRADE_WARNING, what,
                      "put the commands of this cluster first on PATH",
                      "the commands are of %.*s, the %s of %s", len, ours,
                      site->of->server, server);
    else
        findings_add (findings, GRADE_GOOD, what, NULL, "%s", server);
    free (what);
}

/* Are the commands those of this scheduler, and not of one like it? */
static void judge_sign (const struct site *site, struct findings *findings)
{
    const struct command_scheduler *of = site->of;
    const char *said = site->commands_version;
    char *what = xasprintf ("%s: dialect", site->name);

    if (said
        && ((of->own_sign && !strstr (said, of->own_sign))
            || (of->foreign_sign && strstr (said, of->foreign_sign))))
        findings_add (findings, GRADE_BAD, what, of->foreign_advice,
                      "the commands are of another scheduler: %s says '%.*s'",
                      of->program, (int)strcspn (said, "\n"), said);
    free (what);
}

/* --- arrays and jobs --- */

static void judge_arrays (const struct site *site, struct findings *findings)
{
    char *what = xasprintf ("%s: arrays", site->name);

    if (site->no_arrays)
        findings_add (
            findings, GRADE_BAD, what, "ask the administrators to allow them",
            "job arrays are switched off (%s = 0)", site->elements_setting);
    else if (site->elements > 0)
        findings_add (findings, GRADE_GOOD, what, NULL,
                      "up to %" PRId64 " elements (%s)", site->elements,
                      site->elements_setting);
    free (what);
}

static void judge_jobs (const struct site *site, struct findings *findings)
{
    char *what = xasprintf ("%s: jobs", site->name);

    if (site->jobs > 0 && site->jobs < site->elements)
        findings_add (findings, GRADE_WARNING, what,
                      "set `limits: submit:` of the profiles to a part of that",
                      "all users together may have %" PRId64
                      " jobs (%s), and each element is one",
                      site->jobs, site->jobs_setting);
    else if (site->jobs > 0)
        findings_add (findings, GRADE_GOOD, what, NULL,
                      "%" PRId64 " of all users together (%s)", site->jobs,
                      site->jobs_setting);
    free (what);
}

/* --- history --- */

/* Whoever looks twice while an end is shown has seen it. */
static void judge_shown (const struct site *site,
                         const char *what,
                         const struct profile_use *uses,
                         size_t n,
                         struct findings *findings)
{
    struct strbuf shown = STRBUF_INIT;
    bool often_enough = true;

    format_duration (site->shown_s, &shown);
    for (size_t i = 0; i < n; i++) {
        if (site->accounting || uses[i].poll_s <= site->shown_s / 2)
            continue;
        often_enough = false;
        findings_add (findings, GRADE_WARNING, what,
                      "ask more often: lower `limits: poll:` of the profile "
                      "below half of that",
                      "jobs that ended are shown for %s (%s), nothing else "
                      "remembers them, and profile '%s' looks every %g s",
                      shown.buf, site->shown_setting, uses[i].profile,
                      uses[i].poll_s);
    }
    if (often_enough)
        findings_add (findings, GRADE_GOOD, what, NULL,
                      "jobs that have ended are shown for %s (%s)%s", shown.buf,
                      site->shown_setting,
                      site->accounting ? ", and then known by accounting" : "");
    strbuf_release (&shown);
}

static void judge_history (const struct site *site,
                           const struct profile_use *uses,
                           size_t n,
                           struct findings *findings)
{
    char *what = xasprintf ("%s: history", site->name);

    if (site->shown_s > 0)
        judge_shown (site, what, uses, n, findings);
    else if (!site->accounting)
        findings_add (findings, GRADE_WARNING, what, site->of->history_advice,
                      "the %s forgets jobs as they end: of an element only "
                      "what its agent logged is known, and one that somebody "
                      "deleted is run again",
                      site->of->server);
    free (what);
}

void site_judge (const struct site *site,
                 const struct profile_use *uses,
                 size_t n,
                 struct findings *findings)
{
    judge_sign (site, findings);
    judge_version (site, findings);
    judge_arrays (site, findings);
    judge_jobs (site, findings);
    judge_history (site, uses, n, findings);
    for (size_t i = 0; i < site->remarks.n; i++) {
        const struct finding *f = &site->remarks.v[i];

        findings_add (findings, f->grade, f->subject,
                      f->advice[0] ? f->advice : NULL, "%s", f->text);
    }
}
