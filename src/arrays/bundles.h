/* SPDX-License-Identifier: BSD-3-Clause */
/* bundles.h - the file "bundles": line e lists the tasks of element e */
#ifndef ARRAYS_BUNDLES_H
#define ARRAYS_BUNDLES_H

#include <stddef.h>
#include <stdint.h>

#include "arrays/task_range.h"

struct error;

/* Parse the text of a file of exactly 'n' lines into bundles[0 .. n-1], which
 * are initialised.  Another number of lines, and a task that is not below
 * 'n_tasks', are errors; 'bundles' is then filled in part.
 */
int bundles_parse (const char *text,
                   size_t len,
                   int32_t n_tasks,
                   struct task_range *bundles,
                   int64_t n,
                   struct error *err);

#endif /* !ARRAYS_BUNDLES_H */
