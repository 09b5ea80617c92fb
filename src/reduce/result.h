/* SPDX-License-Identifier: BSD-3-Clause */
/* result.h - what fanfold-reduce leaves behind: selected frames and numbers
 *
 * FRAMES_DIR/<system>.extxyz holds the selected frames of that system in the
 * order of (task, step), coordinates as in the trajectory, with "iteration=2
 * task=3 step=40 deviation=0.31"; a system without any has no file.
 *
 * params.json is one JSON object, the output parameters of model_devi.select:
 *   total             int    frames counted: those found (from skip_steps on)
 *                            and those lost
 *   accurate          float  fraction of them below force.low ...
 *   candidate         float  ... worth a label
 *   failed            float  ... beyond use: force.high on, invalid, lost
 *   invalid           float  ... no number, or without forces of every model
 *   candidates        int    frames worth a label
 *   selected          int    frames written: min (candidates, quota)
 *   lost              int    frames expected and not found
 *   missing_tasks     int    exploring tasks that left nothing
 *   absent_files      int    trajectories and force files that do not exist
 *   cut_files         int    dumps that end within a frame
 *   cut_rows          int    lines of deviations that are no rows
 *   repeated_steps    int    frames not counted: their step came again
 *   without_frame, bad_box, too_close, no_vacuum, duplicates   int
 *                            candidates that were drawn and passed over, why
 *   dropped_features  object {SYSTEM: [numbers]}, or {"all": ..}: those that
 *                            are the same, or follow from others; absent
 *                            without features
 *   levels            object {SYSTEM: {QUANTITY: [low, high]}}: as used
 *   converged         bool   what the rules test for convergence holds
 *   convergence       string what was found of it
 *   healthy           float  part of the trajectories, and of the tasks that
 *                            left none, that is sound; where it is asked for,
 *   health            object with what speaks against others: found_health.h
 *   systems           object for each, its counts, levels, and histogram
 *   proceed           bool   something was selected
 *   max_deviation     float  largest deviation of a valid frame, eV/A
 *   deviation_median  float  median of the valid frames', to 1/64 of itself
 * The last two are not there when no frame is valid.  Fractions of no frames
 * are 0.
 *
 * With rules.clusters, what is counted are atoms, lost frames are in no
 * fraction, and a frame, "task=3 step=40 atom=17 deviation=0.31", is the
 * surroundings of an atom, the how manieth of its frame from 1.
 *
 * Where frames come from: provenance.h.
 */
#ifndef REDUCE_RESULT_H
#define REDUCE_RESULT_H

struct selection;
struct selection_input;
struct frame_stats;

/* The numbers.  Caller unrefs. */
struct json *result_params (const struct selection_input *input,
                            const struct frame_stats *stats,
                            const struct selection *selection);

/* Read the selected frames again and write everything.  The frames
 * directory appears whole or not at all, before the numbers; without the
 * numbers it goes again.
 */
int result_write (const struct selection_input *input,
                  const struct frame_stats *stats,
                  const struct selection *selection, struct error *err);

/* A name beside 'dir' for what is not whole yet, "out/.tmp-frames-a1b2" for
 * "out/frames".  Caller frees.
 */
char *result_temporary (const char *dir);

#endif /* !REDUCE_RESULT_H */
