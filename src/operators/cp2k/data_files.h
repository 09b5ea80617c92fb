/* SPDX-License-Identifier: BSD-3-Clause */
/* data_files.h - basis sets and potentials that a CP2K input names
 *
 * CP2K looks for such a file by the name that stands in the input, seen from
 * where it runs, then in its data directory: CP2K_DATA_DIR, or where it was
 * installed.
 */
#ifndef OPERATORS_CP2K_DATA_FILES_H
#define OPERATORS_CP2K_DATA_FILES_H

struct cp2k_data {
    const char *dir;          /* CP2K's data directory; NULL: not known here */
    const struct json *files; /* list of paths that lie beside the input under
                                 their own names; may be NULL */
};

/* CP2K's data directory on this host: 'given' (may be NULL), or CP2K_DATA_DIR,
 * or Debian's.  NULL when it is not on this host.
 */
const char *cp2k_data_dir (const char *given);

/* Are the files that the input names there, and do they hold the basis sets and
 * potentials of its &KIND sections?  What cannot be known is taken to be.
 * Errors name the input's line.
 */
int cp2k_check_data (const struct cp2k_data *data, const char *text, size_t len,
                     const char *name, struct error *err);

/* Has each of the elements (NULL-terminated; NULL: not known) a &KIND, if the
 * input's method takes basis sets from them?
 */
int cp2k_check_kinds (const char *text, size_t len, const char *name,
                      const char *const *elements, struct error *err);

#endif /* !OPERATORS_CP2K_DATA_FILES_H */
