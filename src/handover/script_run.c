/* SPDX-License-Identifier: BSD-3-Clause */
/* script_run.c - a script and its variables, made ready to be run */
#include "base/base.h"

#include "base/environment.h"
#include "base/file.h"
#include "base/json.h"
#include "handover/list_file.h"
#include "handover/scratch_file.h"
#include "handover/script_run.h"
#include "signature/container.h"
#include "signature/operator.h"
#include "signature/operator_uses.h"
#include "signature/script.h"
#include "signature/template.h"

/* --- files --- */

/* "{@NAME}" of each list whose file the text names. */
static struct json *lists_named (const char *text, const struct port *inputs,
                                 const struct json *values)
{
    struct json *templates = json_array ();
    _cleanup_ (strbuf_release) struct strbuf name = STRBUF_INIT;

    for (; inputs && inputs->name; inputs++) {
        strbuf_reset (&name);
        script_list_variable (inputs->name, &name);
        if (type_is_list (&inputs->type)
            && !json_is_null (json_get (values, inputs->name))
            && text_find_word (text, name.buf))
            json_push (templates, json_stringf ("{@%s}", inputs->name));
    }
    return templates;
}

/* They are no variables, whoever else set one of that name. */
static void note_absent (const struct port *inputs, struct json *values)
{
    for (; inputs && inputs->name; inputs++) {
        if (!json_get (values, inputs->name))
            json_set (values, inputs->name, json_null ());
    }
}

static int write_script (const char *text, const char *program, const char *dir,
                         struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf path = STRBUF_INIT;
    _cleanup_ (strbuf_release) struct strbuf content = STRBUF_INIT;

    strbuf_addf (&path, "%s/", dir);
    script_file_name (program, &path);
    script_file_text (text, &content);
    return scratch_file_write (path.buf, 0555, &content, err);
}

int script_files_write (const char *text, const char *program,
                        const struct port *inputs, const char *dir,
                        struct json *values, struct error *err)
{
    _cleanup_json_ struct json *lists = lists_named (text, inputs, values);
    _cleanup_free_ char *in = path_join (dir, "in");
    int rc = write_script (text, program, dir, err);

    if (rc == 0)
        rc = list_files_write (lists, in, values, err);
    note_absent (inputs, values);
    return rc;
}

void script_set_words (const char *text, const char *program,
                       struct json *values)
{
    _cleanup_ (strbuf_release) struct strbuf name = STRBUF_INIT;

    script_file_name (program, &name);
    json_set (values, SCRIPT_PLACEHOLDER, script_words (text, name.buf));
}

/* --- variables --- */

/* The variables of one script, and why some are not set. */
struct making {
    const char *text, *dir;
    struct script_variables *variables;
    struct error *err;
};

/* Does a shell read it: $NAME, ${NAME}, ${#NAME}?  Other languages are not
 * understood. */
static bool is_read (const struct making *m, const char *name)
{
    const char *at = m->text;
    size_t len = strlen (name);

    if (!script_is_shell (m->text))
        return false;
    while ((at = strchr (at, '$'))) {
        at += at[1] == '{' ? 2 : 1;
        at += at[-1] == '{' && (*at == '#' || *at == '!');
        if (strncmp (at, name, len) == 0 && !isalnum ((unsigned char)at[len])
            && at[len] != '_')
            return true;
    }
    return false;
}

/* -1 with 'err' where the script would find that it is not there. */
static int leave_out (struct making *m, const char *name, const char *why)
{
    strvec_pushf (&m->variables->absent, "%s=", name);
    if (!why || !is_read (m, name))
        return 0;
    return error_set (m->err, "script: $%s %s", name, why);
}

static bool has_line_break (const struct strvec *words)
{
    for (size_t i = 0; i < words->n; i++) {
        if (strchr (words->v[i], '\n'))
            return true;
    }
    return false;
}

/* Where artifacts go is told from the working directory, which a script may
 * leave.
 */
static void add_value (const struct making *m, const char *placeholder,
                       const struct strvec *words, struct strbuf *entry)
{
    if (strncmp (placeholder, "outputs.", 8) == 0)
        strbuf_addf (entry, "%s/", m->dir);
    for (size_t i = 0; i < words->n; i++)
        strbuf_addf (entry, "%s%s", i > 0 ? "\n" : "", words->v[i]);
}

static int add_variable (struct making *m, const char *placeholder,
                         const struct json *value)
{
    bool is_list = json_kind (value) == JSON_KIND_ARRAY;
    _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;
    _cleanup_ (strbuf_release) struct strbuf entry = STRBUF_INIT;
    _cleanup_free_ char *name = NULL;
    int rc = 0;

    script_variable (placeholder, &entry);
    name = xstrdup (entry.buf);
    strbuf_add_char (&entry, '=');
    template_words (value, &words);
    add_value (m, placeholder, &words, &entry);
    if (json_is_null (value)
        || (words_contain (script_only_named, placeholder)
            && !script_uses (m->text, placeholder)))
        rc = leave_out (m, name, NULL);
    else if (is_list && has_line_break (&words))
        rc = leave_out (m, name,
                        "would have one item a line, and an item has a line "
                        "break; read task.json");
    else
        strvec_push (&m->variables->set, entry.buf);
    return rc;
}

static int add_list_file (struct making *m, const char *placeholder,
                          const struct json *path)
{
    _cleanup_ (strbuf_release) struct strbuf entry = STRBUF_INIT;

    script_list_variable (placeholder, &entry);
    strbuf_addf (&entry, "=%s", json_as_string (path));
    strvec_push (&m->variables->set, entry.buf);
    return 0;
}

/* The longest variable; *all becomes the bytes of all of them. */
static size_t find_longest (const struct strvec *set, size_t *all)
{
    size_t longest = 0, most = 0;

    *all = 0;
    for (size_t i = 0; i < set->n; i++) {
        size_t len = strlen (set->v[i]);

        *all += len;
        if (len > most) {
            most = len;
            longest = i;
        }
    }
    return longest;
}

/* What execve would refuse. */
static int drop_longest (struct making *m)
{
    struct strvec *set = &m->variables->set;
    int rc = 0;

    while (rc == 0 && set->n > 0) {
        size_t all, i = find_longest (set, &all), at = strcspn (set->v[i], "=");
        size_t len = strlen (set->v[i]) - at - 1;
        char *name = xstrndup (set->v[i], at);
        char *why = xasprintf ("has %zu bytes, which is more than fits into a "
                               "variable; read task.json, or of a list the "
                               "file $%s_list",
                               len, name);
        bool fits = len <= SCRIPT_VARIABLE_MAX && all <= SCRIPT_VARIABLES_MAX;

        if (!fits) {
            environment_drop (set, name);
            rc = leave_out (m, name, why);
        }
        free (why);
        free (name);
        if (fits)
            break;
    }
    return rc;
}

int script_variables_make (const char *text, const struct json *values,
                           const char *dir, struct script_variables *variables,
                           struct error *err)
{
    struct making m = { text, dir, variables, err };
    int rc = 0;

    JSON_FOREACH (values, it) {
        const char *name = json_iter_key (it);
        const struct json *value = json_iter_value (it);
        const struct json *caller = json_get (values, CALLER_PLACEHOLDER);

        if (rc < 0 || words_contain (script_no_variables, name))
            continue;
        rc = name[0] == '@' ? add_list_file (&m, name + 1, value)
             : caller && strcmp (name, "campaign") == 0
                 ? add_variable (&m, name, caller)
                 : add_variable (&m, name, value);
    }
    return rc < 0 ? -1 : drop_longest (&m);
}

void script_variables_release (struct script_variables *variables)
{
    strvec_release (&variables->set);
    strvec_release (&variables->absent);
}

void script_variables_join (const struct script_variables *variables,
                            struct strvec *env)
{
    for (size_t i = 0; i < variables->absent.n; i++)
        environment_drop (env, variables->absent.v[i]);
    for (size_t i = 0; i < variables->set.n; i++)
        environment_set (env, variables->set.v[i]);
}
