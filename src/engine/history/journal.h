/* SPDX-License-Identifier: BSD-3-Clause */
/* journal.h - the decisions of a campaign, append-only
 *
 * One segment per driver that decided anything: .fanfold/journal/<epoch>, a
 * record_log whose first record is
 *   {"ev":"segment","format":1,"n":N,"epoch":E,
 *    "previous":{"epoch":P,"bytes":B,"sha256":H}}     (no previous: the first)
 * and every other one an event with its sequence number "n".  What counts is
 * the chain from the highest segment backwards: of segment P only the first B
 * bytes, which must have digest H; other segments (a driver that woke up
 * after it was replaced) and bytes beyond are ignored.
 */
#ifndef ENGINE_JOURNAL_H
#define ENGINE_JOURNAL_H

struct journal;
struct lease_mark;

/* How far a reader has come. */
struct journal_position {
    int64_t epoch;  /* 0: nothing read */
    uint64_t bytes; /* whole records of that segment */
    int64_t n;      /* sequence number of the last record */
};

/* Call 'each' for every event after '*position' (zeroed: from the start) and
 * move '*position' to the end.  A position that is not on the chain is an
 * error.  An absent journal is an empty one.
 */
int journal_read (const char *dir, struct journal_position *position,
                  int (*each) (const struct json *event, void *arg,
                               struct error *err),
                  void *arg, struct error *err);

/* Does it show here as far as the mark that was left with the lease? */
bool journal_reaches (const struct journal_position *position,
                      const struct lease_mark *mark);

/* Make durable what was read up to 'position': a writer that was killed may not
 * have come to that.
 */
int journal_sync (const char *dir, const struct journal_position *position,
                  struct error *err);

/* Be ready to append as driver 'epoch' after 'position', which must be the
 * end as journal_read left it.  Nothing is written before the first append.
 */
struct journal *journal_open (const char *dir, int64_t epoch,
                              const struct journal_position *position);
void journal_close (struct journal *journal); /* NULL is legal */

/* The sequence number of the event that is appended next. */
int64_t journal_next (const struct journal *journal);

/* Append one event (its "n" is filled in) and fsync.  After a failure nothing
 * of it is left, or the journal refuses all further appends: what could be
 * written and not synced may count.
 */
int journal_append (struct journal *journal, struct json *event,
                    struct error *err);

const struct journal_position *journal_end (const struct journal *journal);

#endif /* !ENGINE_JOURNAL_H */
