/* SPDX-License-Identifier: BSD-3-Clause */
/* script_file.c - `script:`, text in place of a command */
#include "base/base.h"

#include "base/arena.h"
#include "base/file.h"
#include "campaign/field_reader.h"
#include "campaign/script_file.h"

/* One line that is a file of the campaign, or meant as one. */
static int refuse_path (const struct yaml_node *node)
{
    const char *text = node->text;
    const char *path = text + (strncmp (text, "{campaign}/", 11) == 0 ? 11 : 0);
    char *full = path_join (field_reader_of (node)->dir, path);
    bool is_file = !strpbrk (text, " \t\n") && path_is_inside (path)
                   && (path > text || file_exists (full));

    free (full);
    if (!is_file)
        return 0;
    return field_problem (node,
                          "script: is the text of a script, and '%s' a file; "
                          "write command: [bash, \"{campaign}/%s\"]",
                          text, path);
}

int script_read (const struct yaml_node *node, const char **text)
{
    if (node->kind != YAML_SCALAR)
        return field_problem (node,
                              "script: got %s; write script: | and lines of a "
                              "shell below, or command: [program, argument, "
                              "...]",
                              yaml_kind_name (node));
    if (node->text[strspn (node->text, " \t\n")] == '\0')
        return field_problem (node,
                              "script: is empty; write script: | and lines of "
                              "a shell below");
    if (refuse_path (node) < 0)
        return -1;
    *text = arena_strdup (field_arena (node), node->text);
    return 0;
}

void script_read_in_place (const struct yaml_node *at,
                           const struct yaml_node *node, const char *name,
                           const char **text)
{
    const struct yaml_node *command = field_find (node, "command");
    const struct yaml_node *script = field_find (node, "script");

    if (!command && !script)
        field_problem (at,
                       "%s has no command; add command: [program, argument, "
                       "...] or script: LINES",
                       name);
    else if (command && script)
        field_problem (
            script, "%s has a command and a script; remove one of them", name);
    else if (script)
        script_read (script, text);
}
