/* SPDX-License-Identifier: BSD-3-Clause */
/* pager.h - output that is longer than the screen, page by page
 *
 * As git has it: $PAGER (less, where it is not set) reads what is printed; less
 * gets LESS=FRX unless LESS is set, so it ends at once where all fits on the
 * screen.  There is none where standard output is no terminal, TERM is "dumb",
 * or PAGER is empty or "cat".
 */
#ifndef COMMANDS_PAGER_H
#define COMMANDS_PAGER_H

#include <sys/types.h>

struct pager {
    pid_t pid; /* 0: none */
};

/* Standard output is its input from now on. */
void pager_begin (struct pager *pager);

/* Wait until the person has left it. */
void pager_end (struct pager *pager);

#endif /* !COMMANDS_PAGER_H */
