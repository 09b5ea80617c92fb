/* SPDX-License-Identifier: BSD-3-Clause */
/* select_plan.h - what fanfold-reduce would be asked to do, but for the writing
 */
#ifndef COMMANDS_SELECT_PLAN_H
#define COMMANDS_SELECT_PLAN_H

struct error;
struct json;
struct plan;
struct select_source;

/* Fill 'plan', which must be initialised and is to be released whatever comes
 * of it, with the source's files, by the rules 'asked' (of select_rules).
 * 'source' must outlive it.  -1: the rules are not valid.
 */
int select_plan (const struct select_source *source,
                 const struct json *asked,
                 struct plan *plan,
                 struct error *err);

#endif /* !COMMANDS_SELECT_PLAN_H */
