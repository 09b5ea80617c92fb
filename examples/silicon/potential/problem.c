/* SPDX-License-Identifier: BSD-3-Clause */
/* problem.c - what went wrong, in one line for a person */
#include <stdarg.h>
#include <stdio.h>

#include "problem.h"

int problem_set (struct problem *problem, const char *fmt, ...)
{
    va_list ap;

    va_start (ap, fmt);
    vsnprintf (problem->text, sizeof problem->text, fmt, ap);
    va_end (ap);
    return -1;
}
