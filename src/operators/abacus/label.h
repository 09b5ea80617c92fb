/* SPDX-License-Identifier: BSD-3-Clause */
/* label.h - the kit of abacus.label: ABACUS's single points */
#ifndef OPERATORS_ABACUS_LABEL_H
#define OPERATORS_ABACUS_LABEL_H

#include "operators/label/label_kit.h"

extern const struct code abacus_code;
extern const struct label_kit abacus_label;

#endif /* !OPERATORS_ABACUS_LABEL_H */
