/* SPDX-License-Identifier: BSD-3-Clause */
/* document.c - what campaign.yaml and site.yaml have in common */
#include "config.h"

#include <string.h>

#include "campaign/document.h"
#include "campaign/field_reader.h"

enum { FORMAT = 1, NAME_MAX_LENGTH = 64 };

int document_open (const struct field_reader *reader,
                   const struct yaml_node *root,
                   const char *name,
                   const char *const *keys)
{
    const struct yaml_node *format = yaml_get (root, "format");
    int64_t version;

    if (root->kind == YAML_MAPPING && !format)
        problems_add (reader->problems, root->mark,
                      "%s does not say its format; begin it with format: %d",
                      name, FORMAT);
    else if (format
             && (yaml_to_int (format, &version) < 0 || version != FORMAT))
        return problems_add (
            reader->problems, format->mark,
            "format '%s' is not known to this version; write "
            "format: %d, or use a newer fanfold",
            format->text ? format->text : yaml_kind_name (format), FORMAT);
    return field_mapping (reader, root, name, keys);
}

bool document_name_ok (const char *name)
{
    static const char characters[] = "abcdefghijklmnopqrstuvwxyz"
                                     "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                     "0123456789_.-";
    size_t len = strlen (name);

    return len > 0 && len <= NAME_MAX_LENGTH && !strchr ("_.-", name[0])
           && strspn (name, characters) == len;
}
