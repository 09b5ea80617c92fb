/* SPDX-License-Identifier: BSD-3-Clause */
/* notice_event.h - what a program that tells people is given */
#ifndef ENGINE_NOTICE_EVENT_H
#define ENGINE_NOTICE_EVENT_H

struct engine;
struct json;
struct notice;

/* {"id" "event" "campaign" "directory" "time" "again" [iteration stage why
 * tasks{NAME: N} first_error{task outcome message} history since usual_s]}: as
 * fanfold-campaign(5) says.  Caller unrefs.
 */
struct json *notice_event_json (const struct engine *engine,
                                const struct notice *notice);

#endif /* !ENGINE_NOTICE_EVENT_H */
