/* SPDX-License-Identifier: BSD-3-Clause */
/* template.h - argv templates with {placeholders} (list in operator.h)
 *
 * Braces count only around a name: words of letters, digits and _ joined by
 * dots, each beginning with a letter, or a '@' before these.  All others are
 * text: {"n": 5}, {print $1}, {}, {2,3}.  "{{" and the "}}" that closes it are
 * a brace each, for text such as {{name}}.
 */
#ifndef SIGNATURE_TEMPLATE_H
#define SIGNATURE_TEMPLATE_H

struct arena;

/* Call 'each' with every placeholder name of one argument.  A name whose brace
 * is not closed ("--seed={seed") is an error, with the argument and column.
 */
int template_scan (const char *argument,
                   int (*each) (const char *name, void *arg, struct error *err),
                   void *arg, struct error *err);

/* Append 'argument' expanded to 'argv'.  'values' maps placeholder names to
 * JSON.  An argument that is exactly one placeholder with a list value yields
 * one argument per (non-null) element (of lists in it as well), none for an
 * empty list; a list inside other text, a null, or an object is an error.
 * Reals are written to read back exactly.
 */
int template_expand (const char *argument, const struct json *values,
                     struct strvec *argv, struct error *err);

/* Expand a whole NULL-terminated template. */
int template_expand_argv (const char *const *argv_template,
                          const struct json *values, struct strvec *argv,
                          struct error *err);

/* Append the words that a value is: text as it stands, of a list one for each
 * element as in template_expand, all else as JSON; of a null none.
 */
void template_words (const struct json *value, struct strvec *words);

/* Say in 'err' why the system did not start a program with the arguments of a
 * template: they are too long; which of them, and what to write instead.  The
 * template can be expanded.
 */
void template_explain_too_long (const char *const *argv_template,
                                const struct json *values, struct error *err);

/* Append 'argument' to 'out' with other names in its placeholders: those that
 * 'rename' gives (NULL: the name stays).  'argument' is good (template_scan).
 */
void template_rename (const char *argument,
                      const char *(*rename) (const char *name, void *arg),
                      void *arg, struct strbuf *out);

/* Append 'text' as an argument that expands to it, whatever braces it has. */
void template_escape (const char *text, struct strbuf *out);

/* --- as JSON: an argv is a list of words, argvs a list of them --- */

/* NULL is an empty list.  Caller unrefs. */
struct json *argv_to_json (const char *const *argv);
struct json *argvs_to_json (const char *const *const *argvs);

/* The text under 'key', in 'arena'. */
int json_want_text (const struct json *v, const char *key, struct arena *arena,
                    const char **out, struct error *err);

/* The argv under 'key', in 'arena'; NULL in *out when the list is empty. */
int json_want_argv (const struct json *v, const char *key, struct arena *arena,
                    const char *const **out, struct error *err);

/* The argvs under 'key', none of which may be empty: a NULL-terminated list,
 * also of none.
 */
int json_want_argvs (const struct json *v, const char *key, struct arena *arena,
                     const char *const *const **out, struct error *err);

#endif /* !SIGNATURE_TEMPLATE_H */
