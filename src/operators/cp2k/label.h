/* SPDX-License-Identifier: BSD-3-Clause */
/* label.h - the kit of cp2k.label: CP2K's single points */
#ifndef OPERATORS_CP2K_LABEL_H
#define OPERATORS_CP2K_LABEL_H

#include "operators/label/label_kit.h"

extern const struct code cp2k_code;
extern const struct label_kit cp2k_label;

#endif /* !OPERATORS_CP2K_LABEL_H */
