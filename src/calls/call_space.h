/* SPDX-License-Identifier: BSD-3-Clause */
/* call_space.h - the calls of a campaign's functions: calls/NAME/NUMBER
 *
 * A call is there as a whole or not at all, and its number is its own: it is
 * made beside the others and renamed, which the file system does for one only.
 */
#ifndef CALLS_CALL_SPACE_H
#define CALLS_CALL_SPACE_H

#include "engine/history/state.h"

enum { CALL_NUMBER_MAX = 999999 };

/* The directory of a call of the campaign in 'dir'.  Caller frees. */
char *call_dir (const char *dir, const char *function, int number);

/* Append the numbers, six digits each, of all calls there are, in their order.
 */
int calls_list (const char *dir, const char *function, struct strvec *numbers,
                struct error *err);

/* *number is that of the newest call; -1: there is none. */
int calls_newest (const char *dir, const char *function, int *number,
                  struct error *err);

/* Make a directory for a call that is being made, in which paths mean what they
 * will mean.  Caller frees; NULL with 'err'.
 */
char *call_begin (const char *dir, const char *function, struct error *err);

/* Give what is in 'made' the number.  0; 1 where it is another's, 'made' is
 * untouched; -1.
 */
int call_claim (const char *made, const char *dir, const char *function,
                int number, struct error *err);

/* Nothing was made: remove 'made' (which may be gone), and the directories of
 * calls where nothing is in them.
 */
void call_drop (const char *made, const char *dir, const char *function);

/* How a call stands. */
struct call_standing {
    enum campaign_status status;
    bool has_begun;
    bool then_failed;
};

int call_look (const char *dir, const char *function, int number,
               const char *program, struct call_standing *standing,
               struct error *err);

#endif /* !CALLS_CALL_SPACE_H */
