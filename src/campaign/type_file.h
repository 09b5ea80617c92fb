/* SPDX-License-Identifier: BSD-3-Clause */
/* type_file.h - the type of a port, and of what is in a map, as it is declared
 */
#ifndef CAMPAIGN_TYPE_FILE_H
#define CAMPAIGN_TYPE_FILE_H

#include "campaign/field_reader.h"

struct type;

/* The keys of a declaration that are its type's, for a table of fields. */
#define TYPE_KEYS                                                              \
    FIELD_KEY ("type"), FIELD_KEY ("list"), FIELD_KEY ("dtype"),               \
        FIELD_KEY ("shape"), FIELD_KEY ("fields"), FIELD_KEY ("of")

/* Read these keys of the mapping 'node' into *type, whose kind is TYPE_NONE
 * where it is not known; 'dtype' (NULL: any) is that of arrays that state none.
 */
void type_file_read (const struct yaml_node *node, const char *dtype,
                     struct type *type);

/* Read `dtype:`; NULL: any.  For a struct field. */
void type_file_read_dtype (const struct yaml_node *node, void *dtype);

#endif /* !CAMPAIGN_TYPE_FILE_H */
