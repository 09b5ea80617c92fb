/* SPDX-License-Identifier: BSD-3-Clause */
/* constant.h - what a campaign says about itself, by names that `from:` knows:
 * elements, data.initial ...
 */
#ifndef CAMPAIGN_CONSTANT_H
#define CAMPAIGN_CONSTANT_H

#include "signature/type.h"

struct plan;

struct constant {
    const char *name;
    struct type type;
    const char *remedy; /* when the campaign does not say it */
};

/* The constant, or NULL. */
const struct constant *constant_find (const char *name);

/* Append the names of all. */
void constant_names (struct strvec *names);

/* What this campaign says; NULL: nothing.  Of `iteration`, which is another in
 * each, it is a value of no use.  Caller unrefs.
 */
struct json *constant_value (const struct plan *plan, const char *name);

/* Is 'name' one that this campaign does not say? */
bool constant_is_missing (const struct plan *plan, const char *name);

#endif /* !CAMPAIGN_CONSTANT_H */
