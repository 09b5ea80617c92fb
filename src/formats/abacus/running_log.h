/* SPDX-License-Identifier: BSD-3-Clause */
/* running_log.h - results of an ABACUS single point from OUT.x/running_scf.log
 *
 * All generations of the format (2.x, 3.x, and what 3.10 and its successors
 * print) differ in words around the same tables.  Energies are in eV, forces in
 * eV/angstrom, the stress in kbar, positive under compression (as dpdata takes
 * it, which makes a virial of it by the volume alone).
 *
 * The cell has six digits, and so have positions that were printed as fractions
 * of it.
 */
#ifndef FORMATS_ABACUS_RUNNING_LOG_H
#define FORMATS_ABACUS_RUNNING_LOG_H

struct frame;
struct lines;

/* Read a single point with forces to the end of 'lines' into a labelled frame:
 * cell, positions, elements (labels of species without digits at their ends),
 * energy, forces, and virial when the stress was printed.  *converged: the
 * charge density did; an unconverged result leaves the frame without labels.
 * Refused with the line at fault: a run that did not end, one of several steps,
 * numbers that are none.  'frame' must be initialised; it is replaced.
 */
int abacus_log_read (struct lines *lines, struct frame *frame, bool *converged,
                     struct error *err);

/* The same of a text; 'name' is for messages. */
int abacus_log_parse (const char *text, size_t len, const char *name,
                      struct frame *frame, bool *converged, struct error *err);

#endif /* !FORMATS_ABACUS_RUNNING_LOG_H */
