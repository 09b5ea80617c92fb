/* SPDX-License-Identifier: BSD-3-Clause */
/* environment.h - lists of "NAME=VALUE" */
#ifndef BASE_ENVIRONMENT_H
#define BASE_ENVIRONMENT_H

/* Is the variable of 'entry' among the first 'n' of 'env'?  Of 'entry' what is
 * before '=' counts, or all where there is none.
 */
bool environment_has (const struct strvec *env, size_t n, const char *entry);

/* The variable of 'entry' is as 'entry' says, whatever it was. */
void environment_set (struct strvec *env, const char *entry);

/* 'name' is no variable of it any more. */
void environment_drop (struct strvec *env, const char *name);

#endif /* !BASE_ENVIRONMENT_H */
