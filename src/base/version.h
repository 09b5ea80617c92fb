/* SPDX-License-Identifier: BSD-3-Clause */
/* version.h - which program this is
 *
 * tests/hooks/version.c is linked in the place of version.c into programs of
 * tests that stand for another version.
 */
#ifndef BASE_VERSION_H
#define BASE_VERSION_H

/* As in `fanfold --version`: "0.1.0". */
const char *program_version (void);

#endif /* !BASE_VERSION_H */
