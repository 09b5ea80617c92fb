/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_site.h - whatever a site says, its description makes sense and can be
 * judged
 */
#ifndef TESTS_FUZZ_SITE_H
#define TESTS_FUZZ_SITE_H

#include "arrays/array_job.h"
#include "base/json.h"
#include "fuzz.h"
#include "site_description.h"

static inline void fuzz_check_facts (const struct site_description *site)
{
    struct site_facts facts, again;
    const struct scheduler_limits *limits = &facts.limits;
    struct json *v;

    site_facts (site, "short", &facts);
    must_hold (limits->elements >= 0 && limits->submit >= 0
                   && limits->walltime_s >= 0 && facts.shown_s >= 0,
               "limits are not negative");
    must_hold (limits->node_cores >= 0 && limits->node_gpus >= 0
                   && limits->node_memory_bytes >= 0,
               "a node");
    v = site_facts_to_json (&facts);
    must_hold (site_facts_from_json (v, &again), "what is kept can be read");
    json_unref (v);
}

static inline void fuzz_check_site (struct site_description *site)
{
    const struct array_job job = { .queue = "p", .account = "a", .gpus = 1 };
    const struct profile_use use = { "x", &job, 30, 0 };
    struct findings findings = FINDINGS_INIT;

    fuzz_check_facts (site);
    site_judge (site, &use, 1, &findings);
    site_judge_profile (site, &use, &findings);
    must_hold (findings.n >= 2, "all is judged");
    findings_release (&findings);
}

#endif /* !TESTS_FUZZ_SITE_H */
