/* SPDX-License-Identifier: BSD-3-Clause */
/* chain_view.h - which jobs will wake a chained campaign */
#ifndef REPORT_CHAIN_VIEW_H
#define REPORT_CHAIN_VIEW_H

struct json;
struct state;
struct strbuf;

/* null, or [{"job": ID or null, "after": ID or null, "at_s": seconds since 1970
 * or null}].  Caller unrefs.
 */
struct json *chain_json (const struct state *state);

/* "job 18 drives on when job 17 has ended", or what to do when no job will;
 * nothing when the campaign is not chained or does not run.
 */
void chain_text (const struct state *state, struct strbuf *out);

/* The same from chain_json of a campaign that runs. */
void chain_json_text (const struct json *chain, struct strbuf *out);

#endif /* !REPORT_CHAIN_VIEW_H */
