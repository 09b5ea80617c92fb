/* SPDX-License-Identifier: BSD-3-Clause */
/* template_files.h - the examples that `fanfold new --template` writes
 *
 * The table is made of examples/ by scripts/template-files, when the program
 * is built.
 */
#ifndef COMMANDS_TEMPLATE_FILES_H
#define COMMANDS_TEMPLATE_FILES_H

struct template_file {
    const char *template_name; /* "deepmd-vasp"; NULL ends the table */
    const char *path;          /* below the campaign's directory */
    bool executable;
    const char *const *lines; /* each with its line break; NULL-terminated */
};

/* Files of one template stand together. */
extern const struct template_file template_files[];

#endif /* !COMMANDS_TEMPLATE_FILES_H */
