/* SPDX-License-Identifier: BSD-3-Clause */
/* element_files.h - ports {ELEMENT: file name}, the files being in a directory
 * that another port names: pseudopotentials, orbitals
 */
#ifndef OPERATORS_ELEMENT_FILES_H
#define OPERATORS_ELEMENT_FILES_H

#include "signature/operator.h"

struct label_input;

extern const struct type element_file_name;

/* The port; which one has its directory stands in a table (element_files.c). */
#define ELEMENT_FILES(NAME)                                                    \
    {                                                                          \
        (NAME), MAP_OF (element_file_name), .check = element_files_check,      \
                                            .doubt = element_files_doubt       \
    }

/* Keys are elements, and files are there, if their directory is on this host.
 */
int element_files_check (const struct known_input *input, struct error *err);

/* The first element of the campaign that has none, or a file on another host.
 */
void element_files_doubt (const struct known_input *input, struct strbuf *says);

/* The directory of port 'name' ("pseudopotentials"); a relative one is in the
 * campaign's.  Caller frees.
 */
char *element_files_dir (const struct label_input *input, const char *name,
                         struct error *err);

/* Has every atom of the input's frame a file? */
int element_files_cover (const struct label_input *input, const char *name,
                         struct error *err);

#endif /* !OPERATORS_ELEMENT_FILES_H */
