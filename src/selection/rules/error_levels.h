/* SPDX-License-Identifier: BSD-3-Clause */
/* error_levels.h - levels that follow from the error one can live with
 *
 *   {"levels": {"error": {
 *       "force": 0.7,         eV/A: a frame with a larger error is wrong
 *       "coverage": 0.9,      the share of accurate frames that is right
 *       "confidence": 0.9,    of that; absent: it is so on average
 *       "failed": 3,          eV/A: from where most errors are larger on,
 * frames failed; absent: none do "of": "max",          the largest error of an
 * atom, or "rms" "per": "all"}},       or "system": levels of its own for each
 *    "calibration": {
 *       "mode": "probe",      labels of frames drawn in this iteration
 *       "probe": ["p.extxyz"],       these frames, and
 *       "labels": "labels.extxyz"}}  those of them that have a label
 *
 * What the level is: calibration/calibration.h.
 */
#ifndef SELECTION_ERROR_LEVELS_H
#define SELECTION_ERROR_LEVELS_H

#include "selection/calibration/calibration.h"
#include "selection/calibration/force_error.h"

enum calibration_mode { CALIBRATION_PROBE };

struct error_levels {
    bool any;
    double target;
    double failed; /* 0: not said */
    struct calibration_promise promise;
    int of;         /* enum error_of */
    int per_system; /* 1: yes */
    int mode;       /* enum calibration_mode */
};

/* Read "levels.error" and "calibration" of 'v', which are both there or none;
 * rules that levels by error do not go with are errors.  'levels' is untouched
 * on failure.
 */
int error_levels_from_json (const struct json *v, struct error_levels *levels,
                            struct error *err);

#endif /* !SELECTION_ERROR_LEVELS_H */
