/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_campaign.c - campaign.yaml, and site.yaml, compiled to a plan
 *
 * The same bytes are tried as either file beside a sound one of the other.
 */
#include "base/base.h"

#include "adapter.h"
#include "base/problems.h"
#include "campaign/compile.h"
#include "campaign/plan.h"
#include "fuzz.h"
#include "fuzz_dir.h"
#include "operators/table.h"

static const char sound_site[] = "format: 1\n"
                                 "profiles:\n"
                                 "  here: {scheduler: local}\n"
                                 "  there: {scheduler: local}\n"
                                 "default_profile: here\n";
static const char sound_campaign[] = "format: 1\n"
                                     "campaign: c\n"
                                     "elements: [Si]\n"
                                     "stages:\n"
                                     "  one: {uses: x.one, profile: here}\n"
                                     "stop: {iterations: 1}\n"
                                     "operators:\n"
                                     "  x.one:\n"
                                     "    outputs: {n: {type: int}}\n"
                                     "    command: [true]\n";

/* Every problem is one line, has a place and says what to do. */
static void look_at_problems (const struct problems *problems)
{
    struct strbuf text = STRBUF_INIT;
    size_t lines = 0;

    problems_format (problems, &text);
    for (size_t i = 0; i < text.len; i++)
        lines += text.buf[i] == '\n';
    must_hold (lines == problems->n, "a problem is a line");
    for (size_t i = 0; i < problems->n; i++) {
        must_hold (problems->v[i].file && problems->v[i].file[0],
                   "a problem has a file");
        must_hold (problems->v[i].message[0] && problems->v[i].remedy[0],
                   "a problem has a remedy");
    }
    strbuf_release (&text);
}

static void compile (void)
{
    static const char *const schedulers[] = { "local", "slurm", NULL };
    const struct compile_options options = { .dir = fuzz_dir (),
                                             .builtin = builtin_operators (),
                                             .schedulers = schedulers };
    struct problems problems = PROBLEMS_INIT;
    struct plan *plan = campaign_compile (&options, &problems);

    must_hold (!plan == (problems_errors (&problems) > 0),
               "a plan or problems");
    look_at_problems (&problems);
    if (plan) {
        must_hold (plan->n_stages > 0 && plan->name[0], "a plan has stages");
        must_survive_writing (plan->config);
    }
    plan_destroy (plan);
    problems_release (&problems);
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    fuzz_file ("campaign.yaml", data, size);
    fuzz_file ("site.yaml", sound_site, sizeof (sound_site) - 1);
    compile ();
    fuzz_file ("campaign.yaml", sound_campaign, sizeof (sound_campaign) - 1);
    fuzz_file ("site.yaml", data, size);
    compile ();
    return 0;
}
