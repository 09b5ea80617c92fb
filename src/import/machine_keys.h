/* SPDX-License-Identifier: BSD-3-Clause */
/* machine_keys.h - keys of machine files, and what becomes of each */
#ifndef IMPORT_MACHINE_KEYS_H
#define IMPORT_MACHINE_KEYS_H

#include "import/settings.h"

extern const struct setting machine_file_keys[];      /* the file's own */
extern const struct setting machine_flat_keys[];      /* train_machine ... */
extern const struct setting machine_stage_keys[];     /* of train: {...} */
extern const struct setting machine_machine_keys[];   /* machine: {...} */
extern const struct setting machine_resources_keys[]; /* resources: {...} */

#endif /* !IMPORT_MACHINE_KEYS_H */
