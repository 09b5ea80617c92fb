/* SPDX-License-Identifier: BSD-3-Clause */
/* stopping.h - SIGINT, SIGTERM and SIGHUP end a driver in good order */
#ifndef COMMANDS_STOPPING_H
#define COMMANDS_STOPPING_H

/* Catch the signals; *the returned flag* becomes their number. */
const volatile int *stopping_flag (void);

#endif /* !COMMANDS_STOPPING_H */
