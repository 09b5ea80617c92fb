/* SPDX-License-Identifier: BSD-3-Clause */
/* examine.c - is this machine fit to run jobs? */
#include "config.h"

#include <inttypes.h>

#include "arrays/array_job.h"
#include "base/error.h"
#include "base/file_system.h"
#include "base/findings.h"
#include "base/strbuf.h"
#include "base/units.h"
#include "local/examine.h"
#include "local/spool.h"

/* Jobs keep scripts and short logs there. */
static const uint64_t enough_bytes = (uint64_t)16 << 20;

static const char subject[] = "local scheduler: spool";

void local_judge_spool (const char *spool,
                        const struct file_system *fs,
                        struct findings *findings)
{
    struct strbuf space = STRBUF_INIT;

    format_bytes ((int64_t)fs->free_bytes, &space);
    if (fs->reach == REACH_SHARED)
        findings_add (findings, GRADE_BAD, subject,
                      "name a directory on a local disk with `spool:` of the "
                      "profile",
                      "'%s' is on a file system of many hosts (%s): a job of "
                      "another host would be taken for a dead one of this",
                      spool, fs->type);
    else if (fs->free_bytes < enough_bytes)
        findings_add (findings, GRADE_BAD, subject,
                      "free some there, or name another directory with "
                      "`spool:` of the profile",
                      "'%s' (%s) has %s left", spool, fs->type, space.buf);
    else
        findings_add (findings, GRADE_GOOD, subject, NULL, "'%s' (%s), %s free",
                      spool, fs->type, space.buf);
    strbuf_release (&space);
}

static void examine_spool (const char *spool, struct findings *findings)
{
    struct error why = ERROR_INIT;
    struct file_system fs;

    if (spool_open (spool, &why) < 0 || file_system_look (spool, &fs, &why) < 0)
        findings_add (findings, GRADE_BAD, subject,
                      "name a directory of your own on a local disk with "
                      "`spool:` of the profile",
                      "%s", why.text);
    else
        local_judge_spool (spool, &fs, findings);
}

enum answer local_examine (const struct scheduler *scheduler,
                           const struct profile_use *uses,
                           size_t n,
                           struct findings *findings,
                           struct error *err)
{
    (void)uses;
    (void)n;
    (void)err;
    examine_spool (scheduler->spool, findings);
    return ANSWER_OK;
}
