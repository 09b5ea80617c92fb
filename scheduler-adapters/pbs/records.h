/* SPDX-License-Identifier: BSD-3-Clause */
/* records.h - what qsub, qselect, qstat -f and pbsnodes -a print (pure)
 *
 * Text, not JSON: what qstat prints as JSON is broken in one way or another in
 * every release up to 23 as soon as a value has a quote, a backslash, a leading
 * zero or a byte that is not UTF-8 in it, and one bad job spoils the whole
 * answer.
 */
#ifndef PBS_RECORDS_H
#define PBS_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct strvec;

/* --- ids: "12.server", "12[].server" of an array, "12[5].server" --- */

struct pbs_id {
    int64_t number; /* >= 0: a new server's first one is 0 */
    int64_t index;  /* of a sub-job; -1: the whole array, or no array */
    bool array;
};

/* False when 'text' is no id. */
bool pbs_read_id (const char *text, struct pbs_id *id);

/* The last line of what qsub printed that is an id; sites' wrappers print
 * more.  Caller frees; NULL: there is none.
 */
char *pbs_printed_id (const char *text);

/* Append the ids that qselect printed, one to a line.  -1 with 'err': something
 * else is among them; 'ids', a struct strvec, is then untouched.
 */
int pbs_read_ids (const char *text, size_t len, void *ids, struct error *err);

/* --- records: a heading, lines "    name = value" that are continued behind a
 * tab, an empty line ---
 */

struct pbs_record { /* lent for the call */
    const char *id; /* what follows the heading */
    const char *lines;
};

/* The value of the attribute 'name', folded lines joined; NULL: none. */
const char *pbs_value (const struct pbs_record *record, const char *name);

/* A whole number; 'none' when it is not there or is something else. */
int64_t pbs_number (const struct pbs_record *record,
                    const char *name,
                    int64_t none);

/* The wall clock, in seconds, of a time that was printed for Greenwich; 0:
 * there is no such attribute or it is something else.
 */
double pbs_time (const struct pbs_record *record, const char *name);

/* Call 'each' for every record of 'text' (of 'len' bytes, any of them) until it
 * returns non-zero.  'heading' begins a record: "Job Id: ", "Server: ",
 * "Queue: ", or "" for the nodes of pbsnodes.  0, or -1 with 'err' quoting the
 * line that belongs to no record, or saying that the text is cut off; 'each'
 * then may have been called.
 */
typedef int (*pbs_each_record) (const struct pbs_record *record,
                                void *arg,
                                struct error *err);
int pbs_read_records (const char *heading,
                      const char *text,
                      size_t len,
                      pbs_each_record each,
                      void *arg,
                      struct error *err);

#endif /* !PBS_RECORDS_H */
