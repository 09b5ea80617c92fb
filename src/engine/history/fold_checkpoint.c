/* SPDX-License-Identifier: BSD-3-Clause */
/* fold_checkpoint.c - what tries left for the next ones, folded in
 *
 * stage->checkpoints is {TASK: {"uncharged": tries that were not charged,
 * and, while there is one to go on from, "try", "name", "files", "bytes",
 * "sha256"}}.
 */
#include "base/base.h"

#include "base/json.h"
#include "engine/history/fold.h"

/* A program that writes another checkpoint at every try and never ends must
 * come to an end; three years of daily jobs need no more.
 */
enum { UNCHARGED_MAX = 1000 };

static bool is_newer (const struct json *told, const struct json *known)
{
    return told
           && strcmp (json_get_string (told, "sha256"),
                      json_get_string (known, "sha256"))
                  != 0;
}

/* What is known from now on; NULL: nothing. */
static struct json *next_entry (const struct json *told, int64_t uncharged,
                                int64_t number)
{
    struct json *v = NULL;

    if (told) {
        v = json_deep_copy (told);
        json_set (v, "try", json_int (number));
    } else if (uncharged > 0) {
        v = json_object ();
    }
    if (v)
        json_set (v, "uncharged", json_int (uncharged));
    return v;
}

bool fold_checkpoint (struct stage_state *stage, int32_t task,
                      enum outcome outcome, bool tried, const struct json *told)
{
    const struct json *known;
    struct json *next;
    int64_t uncharged, number;
    bool newer, further;
    char key[16];

    if (stage->tasks[task].outcome == OUTCOME_OK)
        return false;
    if (!stage->checkpoints)
        stage->checkpoints = json_object ();
    snprintf (key, sizeof (key), "%d", task);
    known = json_get (stage->checkpoints, key);
    if (outcome == OUTCOME_OK || !json_get (told, "sha256"))
        told = NULL;
    newer = is_newer (told, known);
    uncharged = json_get_int (known, "uncharged");
    further = newer && uncharged < UNCHARGED_MAX
              && !outcome_may_be_broken_off (outcome);
    uncharged += further && tried;
    number = stage->tasks[task].tries + uncharged + (!further && tried);
    if (told && !newer)
        number = json_get_int (known, "try");
    next = outcome == OUTCOME_OK ? NULL : next_entry (told, uncharged, number);
    if (next)
        json_set (stage->checkpoints, key, next);
    else
        json_delete (stage->checkpoints, key);
    return further;
}
