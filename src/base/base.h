/* SPDX-License-Identifier: BSD-3-Clause */
/* base.h - what every file sees: included first by each .c, and by no header
 *
 * C's own headers without those that read, write or wait, memory, errors and
 * text.  What says something about a file (json, file, clock, process) is
 * included where it is used.
 */
#ifndef BASE_BASE_H
#define BASE_BASE_H

#include "config.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct error;
struct json;
struct strbuf;
struct strvec;

#include "base/cleanup.h"
#include "base/compiler.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "base/strvec.h"

#endif /* !BASE_BASE_H */
