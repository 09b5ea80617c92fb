/* SPDX-License-Identifier: BSD-3-Clause */
/* classes.h - is a frame known well, worth a label, or beyond use?
 *
 * A quantity is accurate below 'low', a candidate in [low, high), failed from
 * 'high' on.  When forces and virials disagree about a frame, the semantics
 * decide (found by reading the sources of each program):
 *
 *   dpgen     candidate if either is one; else failed if either failed
 *             (dpgen/generator/run.py, _select_by_model_devi_standard)
 *   dpgen2    failed if either failed; accurate if both are; else candidate
 *             (dpgen2/exploration/report/report_trust_levels_base.py)
 *   simplify  failed if either failed; candidate if either is one; else
 *             accurate (dpgen/simplify/simplify.py): what dpgen2 does
 *
 * A deviation that is not finite makes the frame invalid whatever the other
 * one is: it never becomes a candidate and counts as failed, but apart.
 */
#ifndef SELECTION_CLASSES_H
#define SELECTION_CLASSES_H

#include <stdbool.h>

struct error;
struct json;

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

struct criteria {
    enum semantics semantics;
    struct levels force; /* eV/A */
    bool has_virial;
    struct levels virial; /* eV/atom; valid when has_virial */
};

/* "dpgen", "dpgen2", "simplify".  0, or -1 with *semantics untouched. */
int semantics_from_name (const char *name, enum semantics *semantics);

/* Finite and 0 <= low <= high. */
bool levels_valid (const struct levels *levels);

/* Read {"low": L, "high": H}, nothing else in it, and valid. */
int levels_from_json (const struct json *v,
                      struct levels *levels,
                      struct error *err);

/* 'virial' is not looked at without virial levels. */
enum frame_class classify_frame (const struct criteria *criteria,
                                 double force,
                                 double virial);

#endif /* !SELECTION_CLASSES_H */
