/* SPDX-License-Identifier: BSD-3-Clause */
/* version.c - in the place of src/base/version.c: the version that the
 * environment of a test names
 */
#include "base/base.h"

#include "base/version.h"

const char *program_version (void)
{
    const char *named = getenv ("FANFOLD_VERSION");

    return named ? named : PACKAGE_VERSION;
}
