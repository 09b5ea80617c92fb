/* SPDX-License-Identifier: BSD-3-Clause */
/* run_dir.h - where a DP-GEN run stands, read from its directory
 *
 * record.dpgen has a line "ITERATION STAGE" for each stage that is done, of
 * which DP-GEN looks at the last: 0-2 training, 3-5 exploration, 6-8 labelling
 * (made, run, looked at).  Nothing in the directory is written to.
 */
#ifndef IMPORT_RUN_DIR_H
#define IMPORT_RUN_DIR_H

#include "import/dpgen.h"

/* Read 'dir'.  Paths in 'out' are absolute; what a person is to know becomes
 * remarks of 'draft', and files that are taken over become its copies.  -1 with
 * 'err'; release in any case.
 */
int run_dir_read (const char *dir, struct draft *draft,
                  struct dpgen_progress *out, struct error *err);
void dpgen_progress_release (struct dpgen_progress *progress);

#endif /* !IMPORT_RUN_DIR_H */
