/* SPDX-License-Identifier: BSD-3-Clause */
/* label.h - Quantum ESPRESSO's pw.x, and the operator qe.label */
#ifndef OPERATORS_QE_LABEL_H
#define OPERATORS_QE_LABEL_H

#include "operators/label/label_kit.h"

extern const struct code pw_code;
extern const struct label_kit qe_label;

#endif /* !OPERATORS_QE_LABEL_H */
