/* SPDX-License-Identifier: BSD-3-Clause */
/* json_text.h - parts of a JSON text that is too long to make values of it all
 *
 * Nothing is checked but what it takes to find the way: a part that is found
 * may still be malformed.
 */
#ifndef BASE_JSON_TEXT_H
#define BASE_JSON_TEXT_H

#include <stddef.h>

/* Behind white space. */
const char *json_text_skip_space (const char *at, const char *end);

/* Behind the value that starts at 'at'; NULL when none does. */
const char *json_text_skip (const char *at, const char *end);

/* Where the value of 'key' starts in the object that the text is; the first if
 * there are more; the end of the text when nothing follows it.  NULL when it is
 * not there, or is written with escapes.
 */
const char *json_text_member (const char *text, size_t len, const char *key);

#endif /* !BASE_JSON_TEXT_H */
