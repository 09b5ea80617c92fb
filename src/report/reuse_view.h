/* SPDX-License-Identifier: BSD-3-Clause */
/* reuse_view.h - results that came from elsewhere, told to people */
#ifndef REPORT_REUSE_VIEW_H
#define REPORT_REUSE_VIEW_H

struct engine;
struct stage_state;

/* " (8 reused)"; nothing where none is. */
void reused_count_text (int64_t reused, struct strbuf *out);

/* "stage 'label' of iteration 1 in /data/silicon"; 'of' is an origin. */
void reused_origin_text (const struct json *of, struct strbuf *out);

/* The same of each origin of stage_state.reused, with its tasks, a line each.
 */
void reused_origins_text (const struct json *reused, struct strbuf *out);

/* Where task 'task' has its result from, lent; NULL: it made it. */
const struct json *reused_origin_of (const struct stage_state *stage,
                                     int32_t task);

/* Set "reuse" in each of the stages of plan_json that is yet to be prepared:
 * reuse_forecast of the iteration that it runs in next.
 */
void plan_add_reuse (struct engine *engine, struct json *view);

/* That, as a line below the stage; nothing where it is NULL. */
void reuse_forecast_text (const struct json *forecast, struct strbuf *out);

#endif /* !REPORT_REUSE_VIEW_H */
