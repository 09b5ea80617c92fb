/* SPDX-License-Identifier: BSD-3-Clause */
/* label.h - the kit of xtb.label: single points of molecules with xtb */
#ifndef OPERATORS_XTB_LABEL_H
#define OPERATORS_XTB_LABEL_H

#include "operators/label/label_kit.h"

extern const struct code xtb_code;
extern const struct label_kit xtb_label;

#endif /* !OPERATORS_XTB_LABEL_H */
