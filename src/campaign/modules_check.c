/* SPDX-License-Identifier: BSD-3-Clause */
/* modules_check.c - does `files:` name what the programs of an operator import?
 */
#include "base/base.h"

#include "base/file.h"
#include "base/problems.h"
#include "campaign/compilation.h"
#include "campaign/import_file.h"
#include "campaign/imports.h"
#include "campaign/listed_files.h"
#include "campaign/modules_check.h"
#include "campaign/placeholders.h"
#include "signature/operator.h"
#include "signature/script.h"

#define SCRIPT_MAX_BYTES ((size_t)1 << 20)

/* A file that is to be read. */
struct script {
    char *path;
    char *main_dir; /* of the script that is started, where Python looks */
    enum script_language language; /* if nothing of the file says it */
};

/* A file that an edit of is not seen. */
struct missing {
    char *path; /* below the campaign */
    char *file; /* the script that names it, as messages call it */
    struct mark mark;
};

/* Of one operator. */
struct search {
    const struct compilation *c;
    const struct operator_spec *op;
    char *dir;           /* the campaign's, absolute */
    struct strvec named; /* files that a command or `files:` names, absolute */
    struct strvec seen;  /* those that are among 'scripts' */
    struct script *scripts;
    size_t n_scripts, scripts_alloc;
    struct missing *missing;
    size_t n_missing, missing_alloc;
};

/* --- what a script names --- */

/* 'path' is taken over; 'main_dir' NULL: it is one that is started. */
static void add_script (struct search *search, char *path, const char *main_dir,
                        enum script_language language)
{
    struct script *script;

    if (strvec_contains (&search->seen, path)) {
        free (path);
        return;
    }
    strvec_push (&search->seen, path);
    search->scripts =
        grow_array (search->scripts, search->n_scripts, &search->scripts_alloc,
                    sizeof (*search->scripts));
    script = &search->scripts[search->n_scripts++];
    script->path = path;
    script->main_dir =
        main_dir ? xstrdup (main_dir) : directory_of (path, true);
    script->language = language;
}

static void add_missing (struct search *search, const char *path,
                         struct mark mark)
{
    struct missing *missing;

    search->missing =
        grow_array (search->missing, search->n_missing, &search->missing_alloc,
                    sizeof (*search->missing));
    missing = &search->missing[search->n_missing++];
    missing->path = xstrdup (path + strlen (search->dir)
                             + (strcmp (search->dir, "/") != 0));
    missing->file = xstrdup (mark.file);
    missing->mark = mark;
    missing->mark.file = missing->file;
}

/* 'mark' is where the text begins. */
static void read_imports (struct search *search,
                          const struct import_place *place,
                          enum script_language language, const char *text,
                          struct mark mark)
{
    _cleanup_ (imports_release) struct imports imports = { 0 };

    imports_read (language, text, &imports);
    for (size_t i = 0; i < imports.n; i++) {
        const struct import *import = &imports.v[i];
        char *file = import_file (place, import);
        struct mark at = { mark.file, mark.line + import->line,
                           mark.column + import->column };

        if (!file)
            continue;
        if (!strvec_contains (&search->seen, file)
            && !strvec_contains (&search->named, file))
            add_missing (search, file, at);
        add_script (search, file, place->main_dir, language);
    }
}

/* As campaign.yaml is called: beside it. */
static char *name_of (const struct search *search, const char *path)
{
    _cleanup_free_ char *dir = directory_of (search->c->file, false);
    char *name = path_join (dir, path + strlen (search->dir) + 1);

    return name;
}

static void read_script (struct search *search, size_t i)
{
    const struct script script = search->scripts[i]; /* more are added */
    const struct import_place place = { search->dir, script.path,
                                        script.main_dir };
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    _cleanup_free_ char *name = name_of (search, script.path);
    enum script_language language;

    if (file_read (script.path, SCRIPT_MAX_BYTES, &text, NULL) == 0) {
        language = script_language (script.path, text.buf, script.language);
        read_imports (search, &place, language, text.buf,
                      (struct mark){ name, 1, 1 });
    }
}

/* --- what commands name --- */

static void add_named (struct search *search, const char *path,
                       enum script_language language)
{
    char *file = campaign_file (search->dir, search->dir, path);

    if (!file)
        return;
    strvec_push (&search->named, file);
    add_script (search, file, NULL, language);
}

/* A text in campaign.yaml; where it stands beside no file, nothing is. */
static void read_inline (struct search *search, const struct yaml_node *node,
                         enum script_language language, const char *text)
{
    _cleanup_free_ char *nowhere = path_join (search->dir, "");
    const struct import_place place = { search->dir, nowhere, search->dir };
    struct mark mark = node->mark;

    if (node->indent > 0) {
        mark.line += 1;
        mark.column = 1 + node->indent;
    }
    mark.file = mark.file ? mark.file : search->c->file;
    read_imports (search, &place, language, text, mark);
}

/* "{campaign}/train.py" */
static void take_argument (struct search *search, const char *argument,
                           enum script_language language)
{
    static const char below[] = "{campaign}/";
    const char *path = argument + strlen (below);

    if (strncmp (argument, below, strlen (below)) == 0 && !strchr (path, '{'))
        add_named (search, path, language);
}

static enum script_language command_language (const struct yaml_node *argv)
{
    bool launched =
        argv->n > 1 && strcmp (argv->items[0]->text, "{launcher}") == 0;

    return program_language (argv->items[launched]->text);
}

static void take_command (struct search *search, const struct yaml_node *argv)
{
    for (size_t i = 0; i < argv->n; i++)
        take_argument (search, argv->items[i]->text, command_language (argv));
}

/* What the interpreter is given after 'option' as the text that it runs; NULL:
 * it is another one.  Caller frees.
 */
static char *option_text (enum script_language language, const char *option,
                          const char *argument)
{
    static const char campaign[] = "{campaign}";
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    bool shell = language == LANGUAGE_SHELL && strchr (option, 'c');
    const char *at;
    char *copy;

    if (language == LANGUAGE_PYTHON && strcmp (option, "-m") == 0)
        return xasprintf ("import %s", argument);
    if (!shell && (language != LANGUAGE_PYTHON || strcmp (option, "-c") != 0))
        return NULL;
    for (; (at = strstr (argument, campaign));
         argument = at + strlen (campaign)) {
        strbuf_add (&text, argument, (size_t)(at - argument));
        strbuf_add_str (&text, "${campaign}");
    }
    strbuf_add_str (&text, argument);
    copy = xstrdup (text.buf);
    return copy;
}

/* sh -c TEXT, python3 -c TEXT, python3 -m MODULE */
static void look_at_command (struct search *search,
                             const struct yaml_node *argv)
{
    enum script_language language = command_language (argv);

    for (size_t i = 0; i + 1 < argv->n; i++) {
        const char *option = argv->items[i]->text;
        char *text = NULL;

        if (option[0] == '-' && option[1] != '-')
            text = option_text (language, option, argv->items[i + 1]->text);
        if (text) {
            read_inline (search, argv->items[i + 1], language, text);
            free (text);
            return;
        }
    }
}

static void each_command (const struct yaml_node *argv,
                          enum program_place place,
                          void (*each) (struct search *search,
                                        const struct yaml_node *argv),
                          struct search *search)
{
    bool several = argv->items[0]->kind == YAML_SEQUENCE;

    if (place == AT_REPORT || place == AT_NODE_REPORT
        || place == AT_INSTANCE_REPORT)
        return; /* it changes no result */
    for (size_t i = 0; i < (several ? argv->n : 1); i++)
        each (search, several ? argv->items[i] : argv);
}

static void take_argv (const struct yaml_node *argv, enum program_place place,
                       void *search)
{
    each_command (argv, place, take_command, search);
}

static void look_at_argv (const struct yaml_node *argv,
                          enum program_place place, void *search)
{
    each_command (argv, place, look_at_command, search);
}

/* --- scripts in campaign.yaml --- */

static void each_script (const struct yaml_node *declared,
                         void (*each) (struct search *search,
                                       const struct yaml_node *script),
                         struct search *search)
{
    static const char *const steps[] = { "prepare", "collect" };
    const struct yaml_node *programs =
        field_find (field_find (declared, "group"), "programs");
    const struct yaml_node *script = field_find (declared, "script");

    if (script)
        each (search, script);
    for (size_t i = 0; i < ARRAY_SIZE (steps); i++) {
        script = field_find (field_find (declared, steps[i]), "script");
        if (script)
            each (search, script);
    }
    for (size_t i = 0; programs && i < programs->n; i++) {
        script = field_find (programs->items[i], "script");
        if (script)
            each (search, script);
    }
}

static void take_script (struct search *search, const struct yaml_node *script)
{
    _cleanup_ (strvec_release) struct strvec paths = STRVEC_INIT;

    script_campaign_paths (script->text, &paths);
    for (size_t i = 0; i < paths.n; i++)
        add_named (search, paths.v[i], LANGUAGE_UNKNOWN);
}

static void look_at_script (struct search *search,
                            const struct yaml_node *script)
{
    read_inline (search, script,
                 script_language (NULL, script->text, LANGUAGE_SHELL),
                 script->text);
}

/* --- what is told --- */

static void add_item (struct strbuf *out, const char *item, bool first)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-";
    const char *quote = item[strspn (item, plain)] ? "\"" : "";

    strbuf_addf (out, "%s%s%s%s", first ? "" : ", ", quote, item, quote);
}

/* `files:` as it should be. */
static void files_text (const struct search *search, struct strbuf *out)
{
    const char *const *item = search->op->files;

    strbuf_add_str (out, "files: [");
    for (; item && *item; item++)
        add_item (out, *item, item == search->op->files);
    for (size_t i = 0; i < search->n_missing; i++)
        add_item (out, search->missing[i].path, i == 0 && !search->op->files);
    strbuf_add_char (out, ']');
}

static void tell_missing (const struct search *search)
{
    _cleanup_ (strbuf_release) struct strbuf files = STRBUF_INIT;

    files_text (search, &files);
    for (size_t i = 0; i < search->n_missing; i++) {
        const struct missing *missing = &search->missing[i];

        problems_warn (search->c->reader.problems, missing->mark,
                       "'%s' is used here, and operator '%s' does not name it: "
                       "results made before an edit of it count as those made "
                       "after it; write in the operator %s",
                       missing->path, search->op->name, files.buf);
    }
}

/* --- one operator --- */

static void take_listed (struct search *search)
{
    _cleanup_ (strvec_release) struct strvec paths = STRVEC_INIT;

    for (const char *const *item = search->op->files; item && *item; item++)
        (void)listed_files (search->dir, *item, &paths, NULL);
    for (size_t i = 0; i < paths.n; i++) {
        _cleanup_free_ char *file =
            campaign_file (search->dir, search->dir, paths.v[i]);

        if (file)
            strvec_push (&search->named, file);
    }
}

static void search_release (struct search *search)
{
    for (size_t i = 0; i < search->n_scripts; i++) {
        free (search->scripts[i].path);
        free (search->scripts[i].main_dir);
    }
    free (search->scripts);
    for (size_t i = 0; i < search->n_missing; i++) {
        free (search->missing[i].path);
        free (search->missing[i].file);
    }
    free (search->missing);
    strvec_release (&search->named);
    strvec_release (&search->seen);
    free (search->dir);
}

static void check_operator (const struct compilation *c,
                            const struct operator_spec *op,
                            const struct yaml_node *declared)
{
    _cleanup_ (search_release) struct search search = { .c = c,
                                                        .op = op,
                                                        .dir = path_absolute (
                                                            c->reader.dir),
                                                        .named = STRVEC_INIT,
                                                        .seen = STRVEC_INIT };

    take_listed (&search);
    operator_argvs (declared, take_argv, &search);
    each_script (declared, take_script, &search);
    operator_argvs (declared, look_at_argv, &search);
    each_script (declared, look_at_script, &search);
    for (size_t i = 0; i < search.n_scripts; i++)
        read_script (&search, i);
    tell_missing (&search);
}

void modules_check (const struct compilation *c)
{
    const struct operator_set *set = &c->operators;

    for (size_t i = 0; set->node && i < set->node->n; i++) {
        if (set->own[i])
            check_operator (c, set->own[i], set->node->items[i]);
    }
}
