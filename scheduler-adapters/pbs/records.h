/* SPDX-License-Identifier: BSD-3-Clause */
/* records.h - what qstat -f, qstat -Bf, qstat -Qf and pbsnodes -a print (pure)
 *
 *     Job Id: 12[].server
 *         Job_Name = t
 *         Variable_List = HOME=/home/u,
 *     <TAB>PATH=/bin
 *     <an empty line>
 *
 * Text, not JSON: what qstat prints as JSON is broken in one way or another in
 * every release up to 23 as soon as a value has a quote, a backslash, a leading
 * zero or a byte that is not UTF-8 in it, and one bad job spoils the whole
 * answer.  Here a bad value spoils nothing but itself.
 */
#ifndef PBS_RECORDS_H
#define PBS_RECORDS_H

#include <stddef.h>
#include <stdint.h>

struct error;

/* One record; lent for the call. */
struct pbs_record {
    const char *id;    /* what follows the heading */
    const char *lines; /* "name = value", NUL; ...; NUL */
};

/* The value of the attribute 'name', folded lines joined; NULL: none. */
const char *pbs_value (const struct pbs_record *record, const char *name);

/* A whole number; 'none' when there is no such attribute or it is something
 * else.
 */
int64_t pbs_number (const struct pbs_record *record,
                    const char *name,
                    int64_t none);

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
