/* SPDX-License-Identifier: BSD-3-Clause */
/* rules_defaults.h - what holds where a rule is not written, by `semantics`
 *
 * Those of the program that `semantics` names, where it has any:
 *   dpgen     DP-GEN 0.13, dpgen/generator/arginfo.py and run.py: fp_task_max
 * is for each system; adaptive levels take numb_candi_f 10, the others 0.  It
 * must be told levels, fp_task_max and model_devi_skip dpgen2
 * dpgen2/exploration/report (ReportAdaptiveLower, conv_accuracy) and
 *             entrypoint/args.py: fp: task_max 10 for an iteration, every frame
 *             counts, level_f_hi 0.5 of adaptive levels
 *   simplify  dpgen/simplify: iter_pick_number, which must be told, is for an
 *             iteration; every frame counts; there are no adaptive levels
 */
#ifndef SELECTION_RULES_DEFAULTS_H
#define SELECTION_RULES_DEFAULTS_H

#include "selection/rules/rules.h"

/* The words for enum semantics, NULL-terminated. */
extern const char *const rules_semantics[];

/* The default, as JSON, of the rule 'name' ("pick.quota") beside what is
 * written in 'v' (rules.h); NULL: there is none, or it is not known whose.
 */
const char *rules_default (const char *name, const struct json *v);

/* 'v' with the defaults of everything that it does not have.  Caller unrefs. */
struct json *rules_completed (const struct json *v);

/* How many frames are candidates by adaptive levels of a quantity of which
 * nothing is said.
 */
struct top rules_default_top (int semantics, int q);

#endif /* !SELECTION_RULES_DEFAULTS_H */
