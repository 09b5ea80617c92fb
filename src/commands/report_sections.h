/* SPDX-License-Identifier: BSD-3-Clause */
/* report_sections.h - sections of a report that files of tasks are read for:
 * learning curves, parity, training data, and what tasks printed
 */
#ifndef COMMANDS_REPORT_SECTIONS_H
#define COMMANDS_REPORT_SECTIONS_H

struct page;
struct report_facts;
struct section;

/* Errors by iteration, and of the newest iteration each model's learning curve
 * (an output `lcurve`).
 */
void report_learning (const struct report_facts *facts, struct page *page);

/* Force parity of the newest iteration: an output `parity`, a file with a line
 * for each component of a force: reference and prediction, eV/angstrom.
 */
void report_parity (const struct report_facts *facts, struct page *page);

/* How many frames each iteration published, and of what. */
void report_data (const struct report_facts *facts, struct page *page);

/* The slowest tasks, and those that failed, with the last lines they printed.
 */
void report_tasks (const struct report_facts *facts, struct page *page);

/* Points of a figure that are too many are thinned. */
enum { REPORT_CURVE_POINTS = 300 };

#endif /* !COMMANDS_REPORT_SECTIONS_H */
