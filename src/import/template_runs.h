/* SPDX-License-Identifier: BSD-3-Clause */
/* template_runs.h - what a template and the values of its words come to */
#ifndef IMPORT_TEMPLATE_RUNS_H
#define IMPORT_TEMPLATE_RUNS_H

struct draft;
struct md_template;

/* Append to 'runs' what lammps.explore is to run, {input, for_each, steps,
 * systems}, for the template with the words {WORD: [value, ...]}.  Words that
 * are numbers become variables of one run; for those that are not, and for the
 * number of steps, each combination of values is a file of 'draft' and a run.
 * 'key' is what messages call the words.
 */
int template_runs_add (struct draft *draft, const char *key,
                       struct md_template *text, const struct json *words,
                       struct json *systems, struct json *runs,
                       struct error *err);

#endif /* !IMPORT_TEMPLATE_RUNS_H */
