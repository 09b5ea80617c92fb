/* SPDX-License-Identifier: BSD-3-Clause */
/* site_findings.c - what a site is like means for campaigns */
#include "config.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

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

static void judge_version (struct site_description *site)
{
    const char *said = site->commands_version ? site->commands_version : "";
    const char *server = site->version ? site->version : "";
    const char *ours = find_version (said);
    int major[2], minor[2];
    int len = (int)strcspn (ours, " \n");

    if (!read_release (ours, &major[0], &minor[0])
        || !read_release (server, &major[1], &minor[1]))
        site_remark (site, GRADE_WARNING, "version",
                     "are the commands on PATH wrappers that print other "
                     "words?",
                     "the version cannot be told from '%.*s' and '%s'",
                     (int)strcspn (said, "\n"), said, server);
    else if (major[0] != major[1] || minor[0] != minor[1])
        site_remark (site, GRADE_WARNING, "version",
                     "put the commands of this cluster first on PATH",
                     "the commands are of %.*s, the %s of %s", len, ours,
                     site->of->server, server);
    else
        site_remark (site, GRADE_GOOD, "version", NULL, "%s", server);
}

/* Are the commands those of this scheduler, and not of one like it? */
static void judge_sign (struct site_description *site)
{
    const struct command_scheduler *of = site->of;
    const char *said = site->commands_version;

    if (said
        && ((of->own_sign && !strstr (said, of->own_sign))
            || (of->foreign_sign && strstr (said, of->foreign_sign))))
        site_remark (site, GRADE_BAD, "dialect", of->foreign_advice,
                     "the commands are of another scheduler: %s says '%.*s'",
                     of->program, (int)strcspn (said, "\n"), said);
}

/* --- arrays and jobs --- */

static void judge_arrays (struct site_description *site)
{
    if (site->no_arrays)
        site_remark (
            site, GRADE_BAD, "arrays", "ask the administrators to allow them",
            "job arrays are switched off (%s = 0)", site->elements_setting);
    else if (site->elements > 0)
        site_remark (site, GRADE_GOOD, "arrays", NULL,
                     "up to %" PRId64 " elements (%s)", site->elements,
                     site->elements_setting);
}

static void judge_jobs (struct site_description *site)
{
    if (site->jobs > 0 && site->jobs < site->elements)
        site_remark (site, GRADE_WARNING, "jobs",
                     "set `limits: submit:` of the profiles to a part of that",
                     "all users together may have %" PRId64
                     " jobs (%s), and each element is one",
                     site->jobs, site->jobs_setting);
    else if (site->jobs > 0)
        site_remark (site, GRADE_GOOD, "jobs", NULL,
                     "%" PRId64 " of all users together (%s)", site->jobs,
                     site->jobs_setting);
}

/* --- history --- */

/* Whoever looks twice while an end is shown has seen it. */
static void judge_shown (struct site_description *site,
                         const struct profile_use *uses,
                         size_t n)
{
    struct strbuf shown = STRBUF_INIT;
    bool often_enough = true;

    format_duration (site->shown_s, &shown);
    for (size_t i = 0; i < n; i++) {
        if (site->accounting || uses[i].poll_s <= site->shown_s / 2)
            continue;
        often_enough = false;
        site_remark (site, GRADE_WARNING, "history",
                     "ask more often: lower `limits: poll:` of the profile "
                     "below half of that",
                     "jobs that ended are shown for %s (%s), nothing else "
                     "remembers them, and profile '%s' looks every %g s",
                     shown.buf, site->shown_setting, uses[i].profile,
                     uses[i].poll_s);
    }
    if (often_enough)
        site_remark (site, GRADE_GOOD, "history", NULL,
                     "jobs that have ended are shown for %s (%s)%s", shown.buf,
                     site->shown_setting,
                     site->accounting ? ", and then known by accounting" : "");
    strbuf_release (&shown);
}

static void judge_history (struct site_description *site,
                           const struct profile_use *uses,
                           size_t n)
{
    if (site->shown_s > 0)
        judge_shown (site, uses, n);
    else if (!site->accounting)
        site_remark (site, GRADE_WARNING, "history", site->of->history_advice,
                     "the %s forgets jobs as they end: of an element only "
                     "what its agent logged is known, and one that somebody "
                     "deleted is run again",
                     site->of->server);
}

void site_judge (struct site_description *site,
                 const struct profile_use *uses,
                 size_t n,
                 struct findings *findings)
{
    judge_sign (site);
    judge_version (site);
    judge_arrays (site);
    judge_jobs (site);
    judge_history (site, uses, n);
    for (size_t i = 0; i < site->remarks.n; i++) {
        const struct finding *f = &site->remarks.v[i];

        findings_add (findings, f->grade, f->subject,
                      f->advice[0] ? f->advice : NULL, "%s", f->text);
    }
}
