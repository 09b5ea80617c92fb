/* SPDX-License-Identifier: BSD-3-Clause */
/* document.h - the text of a JSON or YAML file that DP-GEN would read, and
 * values in it
 */
#ifndef IMPORT_DOCUMENT_H
#define IMPORT_DOCUMENT_H

/* No input of a person is longer. */
enum { IMPORT_DOCUMENT_MAX_BYTES = 8 << 20 };

/* The mapping that 'text' holds: JSON where its first character is a brace,
 * else YAML.  A key that is there twice is an error (Python takes the last one
 * and says nothing), but for names of comments, which begin with _ and get a
 * number.  NULL with 'err', "NAME:line:col: what".  Caller unrefs.
 */
struct json *document_parse (const char *text, size_t len, const char *name,
                             struct error *err);

/* --- values, with the path of their key in the error --- */

/* A number, also one in quotes ("1e-6"). */
int value_number (const struct json *v, const char *path, double *out,
                  struct error *err);
int value_int (const struct json *v, const char *path, int64_t *out,
               struct error *err);

/* true, false, 1 or 0. */
int value_bool (const struct json *v, const char *path, bool *out,
                struct error *err);
int value_text (const struct json *v, const char *path, const char **out,
                struct error *err);
int value_list (const struct json *v, const char *path, struct json **out,
                struct error *err);
int value_mapping (const struct json *v, const char *path, struct json **out,
                   struct error *err);

/* A whole number stays one: 300.0 is 300 (text in YAML is shorter so). */
struct json *number_json (double v);

#endif /* !IMPORT_DOCUMENT_H */
