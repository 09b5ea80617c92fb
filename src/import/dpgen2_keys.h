/* SPDX-License-Identifier: BSD-3-Clause */
/* dpgen2_keys.h - keys of DPGEN2's input, and what becomes of each */
#ifndef IMPORT_DPGEN2_KEYS_H
#define IMPORT_DPGEN2_KEYS_H

#include "import/settings.h"

extern const struct setting dpgen2_keys[];
extern const struct setting dpgen2_inputs_keys[];
extern const struct setting dpgen2_train_keys[];
extern const struct setting dpgen2_train_config_keys[];
extern const struct setting dpgen2_explore_keys[];
extern const struct setting dpgen2_convergence_keys[];
extern const struct setting dpgen2_configuration_keys[];
extern const struct setting dpgen2_group_keys[];
extern const struct setting dpgen2_fp_keys[];
extern const struct setting dpgen2_fp_inputs_keys[];
extern const struct setting dpgen2_step_keys[];
extern const struct setting dpgen2_executor_keys[];

#endif /* !IMPORT_DPGEN2_KEYS_H */
