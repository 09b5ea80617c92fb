/* SPDX-License-Identifier: BSD-3-Clause */
/* logged_params.h - what the agents' result logs tell of tasks that are ok
 *
 * Of a stage without output artifacts they have the parameters, and nothing
 * else is kept; of another one the digests of result.json.  The journal tells
 * how much of which log counts; what was taken is in one of them
 * (taken_params.h).
 */
#ifndef ENGINE_LOGGED_PARAMS_H
#define ENGINE_LOGGED_PARAMS_H

#include "base/digest.h"

struct heartbeat;
struct result_event;
struct stage_place;
struct stage_state;
struct tries_summary;

/* Call 'take' for each task that is ok, once, with its first `end` in
 * the order of logs, which tells its parameters (lent); one log is in
 * memory at a time.  'tries' (NULL: nobody) is told of all records.  -1 with
 * 'err' when a log is gone, is not as it was, or
 * when none tells of a task that is ok.
 */
int logged_params_read (const char *campaign_dir,
                        const struct stage_place *place,
                        const struct stage_state *stage,
                        void (*take) (int32_t task, const struct json *end,
                                      void *arg),
                        void *arg, struct tries_summary *tries,
                        const struct heartbeat *heartbeat, struct error *err);

/* Call 'each' for every record that counts, log by log; one that is gone, or
 * was changed, is passed over.  -1 with 'err' when the machine fails, or from
 * 'each'.
 */
int counted_logs_read (const char *campaign_dir,
                       const struct stage_place *place,
                       const struct stage_state *stage,
                       int (*each) (const struct result_event *event, void *arg,
                                    struct error *err),
                       void *arg, const struct heartbeat *heartbeat,
                       struct error *err);

/* 'sha256' has by task the digest of its result.json, "" where it has none.
 * -1 with 'err' where the `end`s of a task tell other ones.  What no log tells
 * of, or only one that is gone, is not known to differ.  'tries' as above.
 */
int logged_results_compare (const char *campaign_dir,
                            const struct stage_place *place,
                            const struct stage_state *stage,
                            char (*sha256)[DIGEST_HEX_SIZE],
                            struct tries_summary *tries,
                            const struct heartbeat *heartbeat,
                            struct error *err);

#endif /* !ENGINE_LOGGED_PARAMS_H */
