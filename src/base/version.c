/* SPDX-License-Identifier: BSD-3-Clause */
/* version.c - which program this is */
#include "base/base.h"

#include "base/version.h"

const char *program_version (void)
{
    return PACKAGE_VERSION;
}
