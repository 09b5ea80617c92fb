/* SPDX-License-Identifier: BSD-3-Clause */
/* dpgen_keys.h - keys of param.json, and what becomes of each */
#ifndef IMPORT_DPGEN_KEYS_H
#define IMPORT_DPGEN_KEYS_H

#include "import/settings.h"

extern const struct setting dpgen_param_keys[];
extern const struct setting dpgen_other_engine_keys[]; /* refused with those */
extern const struct setting dpgen_job_keys[];

#endif /* !IMPORT_DPGEN_KEYS_H */
