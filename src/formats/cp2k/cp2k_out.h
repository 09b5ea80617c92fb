/* SPDX-License-Identifier: BSD-3-Clause */
/* cp2k_out.h - results of a CP2K single point from what it printed
 *
 * All generations of the format: until 7.1, 8.1 to 2024, and since 2025, which
 * differ in words, units and prefixes of lines.  Units are those that stand in
 * the file.
 *
 * CP2K prints the cell with three decimals.  The lengths of its vectors have
 * six, to which we stretch them: a cell along the axes is exact to 1e-6, the
 * directions of another one to 1e-3 A.  Positions have six decimals.
 */
#ifndef FORMATS_CP2K_OUT_H
#define FORMATS_CP2K_OUT_H

struct frame;
struct lines;

/* Read a single point with forces to the end of 'lines' into a labelled frame:
 * cell, positions, elements, energy, forces, and virial when the stress was
 * printed.  *converged: no SCF gave up, whatever the exit status was; an
 * unconverged result leaves the frame without energy, forces and virial.
 * Refused with the line at fault: a run that did not end, one of several steps,
 * numbers that are none.  'frame' must be initialised; it is replaced.
 */
int cp2k_out_read (struct lines *lines, struct frame *frame, bool *converged,
                   struct error *err);

/* The same of a text; 'name' is for messages. */
int cp2k_out_parse (const char *text, size_t len, const char *name,
                    struct frame *frame, bool *converged, struct error *err);

#endif /* !FORMATS_CP2K_OUT_H */
