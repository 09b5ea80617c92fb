/* SPDX-License-Identifier: BSD-3-Clause */
/* reply_text.h - reading what schedulers print (pure) */
#ifndef SCHEDULER_REPLY_TEXT_H
#define SCHEDULER_REPLY_TEXT_H

#include <stdint.h>

/* A number of at most 18 digits at *p, which moves behind it; -1: none. */
int64_t reply_take_number (const char **p);

#endif /* !SCHEDULER_REPLY_TEXT_H */
