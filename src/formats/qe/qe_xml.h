/* SPDX-License-Identifier: BSD-3-Clause */
/* qe_xml.h - results of Quantum ESPRESSO's pw.x from data-file-schema.xml
 *
 * The XML holds hartree atomic units with 16 digits.  Only <output> counts: the
 * same tags occur in <input>.
 */
#ifndef FORMATS_QE_XML_H
#define FORMATS_QE_XML_H

struct frame;
struct lines;

/* Read a file into a labelled frame (cell, positions, symbols, energy,
 * forces, and virial when the stress was printed).  *converged is what
 * convergence_achieved says; an unconverged result has no labels to trust and
 * leaves the frame without energy and forces.  'frame' must be initialised.
 */
int qe_xml_read (struct lines *lines, struct frame *frame, bool *converged,
                 struct error *err);

/* The same of a text; 'name' is for messages. */
int qe_xml_parse (const char *text, size_t len, const char *name,
                  struct frame *frame, bool *converged, struct error *err);

#endif /* !FORMATS_QE_XML_H */
