/* SPDX-License-Identifier: BSD-3-Clause */
/* json_keys.h - where in a JSON text its keys are, for messages about a file */
#ifndef BASE_JSON_KEYS_H
#define BASE_JSON_KEYS_H

/* Call 'each' for every key of 'text', which json_parse has taken, in order:
 * its path ("model.list[1].seed", escapes as they are written) and line, from
 * 1.  Stops when 'each' returns not 0, and returns that.  What is no JSON ends
 * the scan.
 */
int json_each_key (const char *text, size_t len,
                   int (*each) (const char *key, size_t line, void *arg,
                                struct error *err),
                   void *arg, struct error *err);

/* The line of the key at 'path'; 0: there is none. */
size_t json_key_line (const char *text, size_t len, const char *path);

#endif /* !BASE_JSON_KEYS_H */
