/* SPDX-License-Identifier: BSD-3-Clause */
/* data_import.h - data that a campaign has in other forms, made into frames */
#ifndef COMMANDS_DATA_IMPORT_H
#define COMMANDS_DATA_IMPORT_H

struct heartbeat;
struct plan;

/* Make the files of plan->imports that are not there, or whose directories have
 * changed since.  -1 with 'err' naming the data that cannot be read.
 */
int data_import (const struct plan *plan, const struct heartbeat *heartbeat,
                 struct error *err);

#endif /* !COMMANDS_DATA_IMPORT_H */
