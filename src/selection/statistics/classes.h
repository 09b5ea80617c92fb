/* SPDX-License-Identifier: BSD-3-Clause */
/* classes.h - is a frame known well, worth a label, or beyond use?
 *
 * A quantity is accurate below 'low', a candidate in [low, high), failed from
 * 'high' on.  When quantities disagree about a frame, the semantics decide
 * (found by reading the sources of each program):
 *
 *   dpgen     candidate if any is one; else failed if any failed; else accurate
 *             (dpgen/generator/run.py, _select_by_model_devi_standard)
 *   dpgen2    failed if any failed; accurate if all are; else candidate
 *             (dpgen2/exploration/report/report_trust_levels_base.py)
 *   simplify  failed if any failed; candidate if any is one; else accurate
 *             (dpgen/simplify/simplify.py): what dpgen2 does
 *
 * A deviation that is not a number makes the frame invalid whatever the others
 * are: it never becomes a candidate and counts as failed, but apart.  One that
 * is infinite makes it failed, in dpgen too.
 */
#ifndef SELECTION_CLASSES_H
#define SELECTION_CLASSES_H

#include "formats/deviations/deviation_file.h"

enum frame_class {
    FRAME_ACCURATE,
    FRAME_CANDIDATE,
    FRAME_FAILED,
    FRAME_INVALID,
    FRAME_CLASSES, /* how many there are */
};

enum semantics {
    SEMANTICS_DPGEN,
    SEMANTICS_DPGEN2,
    SEMANTICS_SIMPLIFY,
};

struct levels {
    double low;
    double high;
};

/* What one system's frames are judged by.  Of the quantities, those in 'has'
 * have levels; the distance has only 'high', read the other way: a frame whose
 * atoms come as close as that failed whatever else it is.
 */
struct criteria {
    enum semantics semantics;
    bool has[DEVIATION_QUANTITIES];
    struct levels levels[DEVIATION_QUANTITIES];
};

/* The first quantity that has levels: force, virial or energy.  It is what
 * deviation means where there is one number for a frame.
 */
enum deviation_quantity criteria_main (const struct criteria *criteria);

/* Finite and 0 <= low <= high. */
bool levels_valid (const struct levels *levels);

/* By one value. */
enum frame_class classify_value (const struct levels *levels, double value);

/* value[q] is looked at when criteria->has[q]. */
enum frame_class classify_frame (const struct criteria *criteria,
                                 const double value[DEVIATION_QUANTITIES]);

/* The classes of rows [0, rows->n). */
void classify_rows (const struct criteria *criteria,
                    const struct deviation_rows *rows, unsigned char *class);

#endif /* !SELECTION_CLASSES_H */
