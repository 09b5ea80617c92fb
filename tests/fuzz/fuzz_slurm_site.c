/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_slurm_site.c - what scontrol, sacctmgr and failing commands print */
#include "config.h"

#include <string.h>

#include "adapter.h"
#include "arrays/array_job.h"
#include "base/alloc.h"
#include "base/findings.h"
#include "fuzz.h"
#include "slurm/examine_profile.h"
#include "slurm/examine_site.h"
#include "slurm/site.h"
#include "slurm/submit_limits.h"
#include "slurm/trouble.h"

static void check_site (const struct slurm_site *site)
{
    must_hold (site->max_array >= 0 && site->max_tasks >= 0
                   && site->max_jobs >= 0 && site->min_job_age_s >= 0
                   && site->walltime_s >= 0 && site->submit >= 0,
               "limits are not negative");
    must_hold (
        memchr (site->version, '\0', sizeof (site->version))
            && memchr (site->cluster, '\0', sizeof (site->cluster))
            && memchr (site->partition_qos, '\0', sizeof (site->partition_qos)),
        "words end");
}

/* Whatever a site says, there is something to be said of each profile. */
static void judge_all (const char *text)
{
    const struct array_job job = { .queue = "p", .account = "a", .gpus = 1 };
    const struct profile_use use = { "x", &job, 30, 0 };
    struct findings findings = FINDINGS_INIT;

    slurm_judge_config (text, &use, 1, &findings);
    slurm_judge_version (text, text, &findings);
    slurm_judge_profile (&use, text, text, &findings);
    slurm_judge_account (&use, text, &findings);
    must_hold (findings.n >= 4, "all is judged");
    findings_release (&findings);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    char *text = xstrndup ((const char *)data, size);
    const struct slurm_claim claim = { "a", "p", NULL, "q" };
    struct slurm_site site = { 0 };
    char words[64];

    if (slurm_read_config (text, &site))
        must_hold (site.max_array > 0, "what is told is told");
    slurm_read_partition (text, "short", &site);
    slurm_read_partition (text, NULL, &site);
    site.submit = slurm_submit_limit (text, text, &claim);
    slurm_has_association (text, "a", NULL);
    judge_all (text);
    check_site (&site);
    must_hold (slurm_read_minutes (text) >= -1, "a time or none");
    must_hold (slurm_trouble (text, NULL) <= TROUBLE_BROKEN, "some trouble");
    trouble_words (text, slurm_prefixes, words, sizeof (words));
    must_hold (strlen (words) < sizeof (words), "the words fit");
    free (text);
    return 0;
}
