/* SPDX-License-Identifier: BSD-3-Clause */
/* dpgen_keys.h - keys of param.json, and what becomes of each */
#ifndef IMPORT_DPGEN_KEYS_H
#define IMPORT_DPGEN_KEYS_H

#include "import/key_report.h"

extern const struct known_key dpgen_param_keys[];
extern const struct known_key
    dpgen_other_engine_keys[]; /* refused with those */
extern const struct known_key dpgen_job_keys[];

#endif /* !IMPORT_DPGEN_KEYS_H */
