/* SPDX-License-Identifier: BSD-3-Clause */
/* json_private.h - what the files of base/json share among themselves */
#ifndef BASE_JSON_PRIVATE_H
#define BASE_JSON_PRIVATE_H

#include "base/json.h"

/* Values made of memory that malloc gave, which they take over: a string of
 * good UTF-8; a member of an object, unless 'key' is there already (false:
 * nothing was taken).
 */
struct json *json_own_string (char *s);
bool json_own_member (struct json *object, char *key, struct json *v);

/* Bytes of the UTF-8 character that the 'len' bytes at 's' begin with, or 0
 * when there is none (Unicode 15.0, table 3-7, which leaves out surrogates and
 * longer forms).
 */
size_t json_utf8_length (const char *s, size_t len);

/* Where a value is: in its container, which is at 'up' (NULL: the whole). */
struct json_place {
    const struct json_place *up;
    const char *key; /* NULL: an element */
    size_t index;
};

/* Append "jobs[3].id: "; nothing for the whole. */
void json_place_text (const struct json_place *place, struct strbuf *out);

#endif /* !BASE_JSON_PRIVATE_H */
