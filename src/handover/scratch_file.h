/* SPDX-License-Identifier: BSD-3-Clause */
/* scratch_file.h - a file that one task reads, and none after a crash */
#ifndef HANDOVER_SCRATCH_FILE_H
#define HANDOVER_SCRATCH_FILE_H

#include <sys/types.h>

/* Write it anew; nothing is synced. */
int scratch_file_write (const char *path, mode_t mode,
                        const struct strbuf *text, struct error *err);

#endif /* !HANDOVER_SCRATCH_FILE_H */
