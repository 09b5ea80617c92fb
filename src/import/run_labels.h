/* SPDX-License-Identifier: BSD-3-Clause */
/* run_labels.h - what a labelling of DP-GEN that was not looked at has finished
 */
#ifndef IMPORT_RUN_LABELS_H
#define IMPORT_RUN_LABELS_H

struct draft;

/* Read the results in the directories task.* of 'dir' (02.fp of an iteration)
 * that programs have finished (of VASP, CP2K and ABACUS), and add their frames
 * to 'draft' as a file, whose name is appended to 'data'; remarks tell how many
 * there are, and how many have none.  -1 with 'err' when 'dir' cannot be read.
 */
int run_labels_take (const char *dir, struct draft *draft, struct json *data,
                     struct error *err);

#endif /* !IMPORT_RUN_LABELS_H */
