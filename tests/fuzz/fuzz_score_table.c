/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_score_table.c - scores and errors, and the levels that they give
 *
 * The first two bytes say what is promised.
 */
#include "base/base.h"

#include "formats/lines.h"
#include "formats/score_table.h"
#include "fuzz.h"
#include "selection/calibration/calibration.h"

static void look_at (const struct score_table *table)
{
    for (size_t i = 0; i < table->n; i++) {
        must_hold (isfinite (table->frames[i].score), "a finite score");
        must_hold (!(table->frames[i].error < 0), "an error, or none");
    }
}

static void look_at_level (struct calibration *c)
{
    const struct score_point *level = calibration_level (c);
    uint64_t needed = calibration_labels_needed (c);
    struct left_out left_out = calibration_leave_one_out (c);
    double least = calibration_least_target (c);

    must_hold (!level || level->wrong <= level->labelled, "wrong labels");
    must_hold (!level || level->labelled <= level->frames, "labelled frames");
    must_hold (!level || least <= c->target, "the target has a level");
    must_hold (level || !(least <= c->target), "the target has no level");
    must_hold (level || needed == 0 || needed > c->n_labelled, "more labels");
    must_hold (left_out.right <= left_out.accurate
                   && left_out.accurate <= c->n_labelled,
               "labels that are right");
}

int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
    struct calibration_promise promise = { 0.5, 0 };
    struct score_table table = SCORE_TABLE_INIT;
    struct lines lines = LINES_INIT;
    struct error err = ERROR_INIT;
    struct calibration c;

    if (size < 2)
        return 0;
    promise.coverage = (data[0] + 0.5) / 256;
    promise.confidence = data[1] < 128 ? 0 : (data[1] - 127.5) / 128;
    lines_of_text (&lines, (const char *)data + 2, size - 2, "table", 1);
    if (score_table_read (&lines, &table, &err) == 0) {
        look_at (&table);
        calibration_init (&c, &promise, 0.2, table.frames, table.n);
        look_at_level (&c);
        calibration_release (&c);
    } else {
        must_hold (err.text[0] != '\0', "a reason");
    }
    score_table_release (&table);
    lines_close (&lines);
    return 0;
}
