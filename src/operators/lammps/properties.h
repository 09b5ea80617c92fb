/* SPDX-License-Identifier: BSD-3-Clause */
/* properties.h - what the steps of lammps.properties agree in
 *
 * `prepare` reads the crystals and makes a task for each crystal and member,
 * members varying fastest; `run` relaxes the crystal with the member, computes
 * the cells that its properties follow from (structures/properties.h), and
 * tells these; `collect` puts them side by side.
 */
#ifndef OPERATORS_LAMMPS_PROPERTIES_H
#define OPERATORS_LAMMPS_PROPERTIES_H

#include "structures/properties.h"

struct step_task;

/* What the user wrote of `reference` or read from `reference_file`, {CRYSTAL:
 * {PROPERTY: number}}, which may be empty; NULL with 'err'.  Caller unrefs.
 */
struct json *properties_reference (const struct json *inputs,
                                   struct error *err);

/* Of the values of all tasks, in their order ({PROPERTY: number or null}, or
 * null for one that failed) and the names of their crystals: set in 'record'
 * the output parameters of the stage; lists that lack a crystal's value are
 * left out.  'names' are the properties.  Pure.
 */
void properties_compare (const struct json *crystals, const struct json *values,
                         size_t n_members, const struct strvec *names,
                         const struct json *reference, struct json *record);

/* Append the table of the record's "values", a line for each property. */
void properties_table (const struct json *values, struct strbuf *text);

#endif /* !OPERATORS_LAMMPS_PROPERTIES_H */
