/* SPDX-License-Identifier: BSD-3-Clause */
/* dataset_files.c - the published training data of a campaign, as its journal
 * knows them
 */
#include "base/base.h"

#include "base/clock.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/json.h"
#include "campaign/plan.h"
#include "commands/campaign.h"
#include "commands/dataset_files.h"
#include "space/layout.h"
#include "space/lease.h"

/* The form in which frames are taken up. */
static const char dataset_form[] = "extxyz";

/* How long a driver needs from the data to the event, at most. */
enum { LOOKS = 50 };
static const double between_looks_s = 0.1;

bool dataset_range_read (const char *text, struct dataset_range *range)
{
    const char *dash = strchr (text, '-');
    _cleanup_free_ char *first =
        dash ? xstrndup (text, (size_t)(dash - text)) : xstrdup (text);

    range->first = parse_number ("--iterations", first);
    range->last = !dash || range->first < 0
                      ? range->first
                      : parse_number ("--iterations", dash + 1);
    if (range->last >= 0 && range->first > range->last)
        complain (STATUS_USAGE, "--iterations %s: the first is behind the last",
                  text);
    return range->first >= 0 && range->first <= range->last;
}

char *dataset_file (const struct campaign *campaign, int iteration)
{
    _cleanup_ (strbuf_release) struct strbuf name = STRBUF_INIT;
    char *path;

    layout_dataset_dir (dataset_form, iteration, &name);
    strbuf_add_str (&name, "/" LAYOUT_DATASET_FILE);
    path = path_join (campaign->engine.dir, name.buf);
    if (!file_exists (path)) {
        free (path);
        path = NULL;
    }
    return path;
}

int dataset_check (const struct campaign *campaign, int iteration,
                   struct error *err)
{
    const struct state *state = &campaign->engine.state;
    _cleanup_ (strbuf_release) struct strbuf dir = STRBUF_INIT;
    _cleanup_free_ char *path = NULL;
    struct error why = ERROR_INIT;
    char hex[DIGEST_HEX_SIZE] = "";
    const char *known = "";
    int rc = 0;

    layout_dataset_dir (dataset_form, iteration, &dir);
    path = path_join (campaign->engine.dir, dir.buf);
    if (iteration <= state_iteration (state))
        known = json_get_string (state->iterations[iteration].dataset,
                                 dataset_form);
    if (digest_tree (path, hex, NULL, NULL, &why) < 0
        && !error_is_absence (&why))
        rc = error_copy (err, &why);
    else if (strcmp (hex, known) != 0 && state->n_iterations > 0)
        rc = error_set (
            err,
            "%s: %s; `fanfold verify --all` names all that differs, `fanfold "
            "redo --iteration %d` makes it again",
            dir.buf,
            !*hex    ? "is missing"
            : *known ? "differs from what was published"
                     : "was published by no stage",
            iteration);
    return rc;
}

bool dataset_warn_unpublished (const struct campaign *campaign, int iteration)
{
    const struct plan *plan = campaign->plan;

    for (size_t i = 0; i < plan->n_stages; i++) {
        const struct stage *stage = &plan->stages[i];
        const struct stage_state *s =
            state_stage (&campaign->engine.state, iteration, stage->name);

        if (!s || s->status != STAGE_DONE || !stage_publishes (stage))
            continue;
        complain (STATUS_DONE,
                  "warning: %s: stage '%s' is done in iteration %d and has "
                  "published nothing; if its operator says publish: true only "
                  "since, run `fanfold redo %s --iteration %d`",
                  plan->name, stage->name, iteration, stage->name, iteration);
        return true;
    }
    return false;
}

bool dataset_look_again (struct campaign *campaign, int n)
{
    struct lease_holder holder = { 0 };

    if (n >= LOOKS || campaign_peek (campaign, &holder, NULL) < 0
        || !holder.held)
        return false;
    clock_sleep (between_looks_s, NULL);
    return engine_look (&campaign->engine, NULL) == 0;
}
