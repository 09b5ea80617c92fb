/* SPDX-License-Identifier: BSD-3-Clause */
/* vasp.h - VASP, and the operator vasp.label */
#ifndef OPERATORS_VASP_H
#define OPERATORS_VASP_H

#include "operators/label/label_kit.h"

extern const struct code vasp_code;
extern const struct label_kit vasp_label;

/* INCAR, POSCAR, POTCAR and, with kpoints, KPOINTS of one frame. */
int vasp_write_inputs (const struct label_input *input, struct error *err);

/* Is it an INCAR that makes labels, each tag where VASP reads it? */
int vasp_check_incar (const char *text, size_t len, const char *name,
                      struct error *err);
void vasp_doubt_incar (const char *text, size_t len, const char *name,
                       const struct known_input *input, struct strbuf *says);

/* Is it a KPOINTS with a mesh or a list of points? */
int vasp_check_kpoints (const struct known_input *input, struct error *err);

#endif /* !OPERATORS_VASP_H */
