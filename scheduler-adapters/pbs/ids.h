/* SPDX-License-Identifier: BSD-3-Clause */
/* ids.h - how PBS spells jobs (pure)
 *
 *     12.server     a job          12[].server    an array
 *     12[5].server  a sub-job of it
 */
#ifndef PBS_IDS_H
#define PBS_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct strvec;

struct pbs_id {
    int64_t number; /* >= 0: a new server's first one is 0 */
    int64_t index;  /* of a sub-job; -1: the whole array, or no array */
    bool array;
};

/* False when 'text' is no id. */
bool pbs_read_id (const char *text, struct pbs_id *id);

/* Caller frees; 'id' must be the id of an array. */
char *pbs_subjob_id (const char *id, int64_t index);

/* The last line of what qsub printed that is an id; sites' wrappers print
 * more.  Caller frees; NULL: there is none.
 */
char *pbs_printed_id (const char *text);

/* Append the ids that qselect printed, one to a line.  -1: something else is
 * among them; 'ids' is then untouched.
 */
int pbs_read_ids (const char *text, struct strvec *ids);

#endif /* !PBS_IDS_H */
