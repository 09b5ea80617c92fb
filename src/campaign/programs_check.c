/* SPDX-License-Identifier: BSD-3-Clause */
/* programs_check.c - are the programs there, and is a command what it looks
 * like?
 */
#include "base/base.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/path_similar.h"
#include "base/json.h"
#include "base/process.h"
#include "campaign/binding.h"
#include "campaign/compilation.h"
#include "campaign/env_file.h"
#include "campaign/placeholders.h"
#include "campaign/programs_check.h"
#include "signature/container.h"
#include "signature/operator.h"
#include "signature/script.h"
#include "signature/template.h"

/* --- a shell's words --- */

static bool is_variable (const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz"
                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ_";

    return text[0] == '$' && text[1] && strchr (letters, text[1]);
}

bool argument_has_script (const char *text)
{
    return text[0] == '-' && text[1] != '-' && strchr (text, 'c');
}

static bool is_shell (const char *program)
{
    static const char *const shells[] = { "sh",  "bash", "dash",
                                          "zsh", "ksh",  NULL };

    return words_contain (shells, path_base (program));
}

void argv_check_shell (const struct yaml_node *argv)
{
    static const char *const words[] = { ">",  ">>",   "<",    "<<", "|",
                                         "||", "&",    "&&",   "2>", "2>>",
                                         "&>", "2>&1", "1>&2", NULL };

    for (size_t i = 1; i < argv->n; i++) {
        const struct yaml_node *item = argv->items[i];

        if (item->kind != YAML_SCALAR || argument_has_script (item->text))
            return;
        if (words_contain (words, item->text) || is_variable (item->text))
            field_warning (item,
                           "'%s' is an argument like others, since no shell "
                           "reads a command; write [sh, -c, '... %s ...'] if "
                           "it is meant for one",
                           item->text, item->text);
    }
}

/* --- one program --- */

/* Where programs are looked for. */
struct search {
    const struct compilation *c;
    const struct profile *profile; /* NULL: beside the driver */
    struct json *values;           /* of placeholders that are known */
    const char *image;             /* where programs are instead, or NULL */
};

static bool runs_here (const struct search *search)
{
    return !search->profile
           || (profile_runs_here (search->profile) && !search->profile->setup);
}

/* 'what' is wrong with the program. */
static void complain (const struct search *search, struct mark mark,
                      const char *what, const char *remedy)
{
    struct problems *problems = search->c->reader.problems;

    mark.file = mark.file ? mark.file : search->c->file;
    if (runs_here (search))
        problems_add (problems, mark, "%s; %s", what, remedy);
    else
        problems_warn (problems, mark,
                       "%s on this host; if the nodes of profile '%s' do not "
                       "have it either: %s",
                       what, search->profile->name, remedy);
}

/* The first line of a script; "": it is something else.  Caller frees. */
static char *first_line (const char *path)
{
    char head[256] = "";
    int fd = file_open (path, O_RDONLY, 0);
    ssize_t n = fd >= 0 ? read (fd, head, sizeof (head) - 1) : 0;

    file_close (fd);
    for (ssize_t i = 0; i < n; i++) {
        if ((unsigned char)head[i] < ' ' && !strchr ("\t\r\n\f", head[i]))
            return xstrdup (""); /* no text */
    }
    head[n > 0 ? n : 0] = '\0';
    return xstrndup (head, strcspn (head, "\n"));
}

/* "#!/usr/bin/env python3": what env looks for, where no options are. */
static void check_env_word (const struct search *search, struct mark mark,
                            const char *path, const char *words)
{
    const char *own =
        search->profile ? profile_variable (search->profile, "PATH") : NULL;
    const char *word = words + strspn (words, " \t");
    _cleanup_free_ char *name = xstrndup (word, strcspn (word, " \t"));
    _cleanup_free_ char *found = process_which (name, own);
    char *what;

    if (*name && *name != '-' && !strchr (name, '=') && !found
        && !(search->profile && search->profile->setup)) {
        what = xasprintf ("the first line of '%s' has env look for '%s', which "
                          "is in no directory of PATH",
                          path, name);
        complain (search, mark, what,
                  "write one that is there, or add its directory to PATH");
        free (what);
    }
}

/* A script that the system cannot start. */
static void check_first_line (const struct search *search, struct mark mark,
                              const char *path)
{
    char *line = first_line (path), *what = NULL;
    const char *at = strncmp (line, "#!", 2) == 0 ? line + 2 : "";
    char *runs;

    at += strspn (at, " \t");
    runs = xstrndup (at, strcspn (at, " \t\r"));
    if (*line && strncmp (line, "#!", 2) != 0) {
        what = xasprintf ("'%s' is a text without a first line #!PROGRAM, so "
                          "nothing runs it",
                          path);
        complain (search, mark, what,
                  "write #!/bin/sh, or what runs it, in its first line");
    } else if (*line && strchr (line, '\r')) {
        what = xasprintf ("the first line of '%s' ends with a carriage return, "
                          "as on Windows",
                          path);
        complain (search, mark, what, "run `dos2unix` on it");
    } else if (*line && strcmp (path_base (runs), "env") == 0) {
        check_env_word (search, mark, path, at + strlen (runs));
    } else if (*line && !file_exists (runs)) {
        what = xasprintf ("the first line of '%s' names the program '%s', "
                          "which is not there",
                          path, runs);
        complain (search, mark, what,
                  "write one that is, such as #!/usr/bin/env python3");
    }
    free (what);
    free (runs);
    free (line);
}

static void check_path (const struct search *search, struct mark mark,
                        const char *path)
{
    _cleanup_free_ char *near = NULL;
    _cleanup_free_ char *what = NULL;
    _cleanup_free_ char *remedy = NULL;
    struct stat st;
    bool there = stat (path, &st) == 0;

    if (there && S_ISREG (st.st_mode) && access (path, X_OK) == 0) {
        check_first_line (search, mark, path);
        return;
    }
    if (!there) {
        near = path_similar ("/", path);
        what = xasprintf ("there is no program '%s'", path);
        remedy = near ? xasprintf ("did you mean '%s'?", near)
                      : xstrdup ("write where it is");
    } else if (!S_ISREG (st.st_mode)) {
        what = xasprintf ("'%s' is no program, but a directory", path);
        remedy = xstrdup ("name the program in it");
    } else {
        what = xasprintf ("'%s' is not executable", path);
        remedy = xasprintf ("run chmod +x '%s'", path);
    }
    complain (search, mark, what, remedy);
}

static bool in_campaign (const struct search *search, const char *name)
{
    _cleanup_free_ char *path = path_join (search->c->plan->dir, name);
    struct stat st;

    return stat (path, &st) == 0 && S_ISREG (st.st_mode);
}

/* A path that is not absolute: commands run in the task's directory. */
static void check_relative (const struct search *search, struct mark mark,
                            const char *word, bool first)
{
    _cleanup_free_ char *what = NULL;
    _cleanup_free_ char *remedy = NULL;

    word += strncmp (word, "./", 2) == 0 ? 2 : 0;
    if (!first && !in_campaign (search, word))
        return; /* an earlier command may make it */
    what = xasprintf ("'%s' is looked for in the task's own directory, where "
                      "there is no such file",
                      word);
    remedy = xasprintf ("write \"{campaign}/%s\"%s", word,
                        in_campaign (search, word) ? "" : ", or a full path");
    complain (search, mark, what, remedy);
}

static void check_on_path (const struct search *search, struct mark mark,
                           const char *word)
{
    const char *own =
        search->profile ? profile_variable (search->profile, "PATH") : NULL;
    const char *path = own ? own : getenv ("PATH");
    _cleanup_free_ char *found = process_which (word, own);
    char *what, *remedy;

    if (!found && !(search->profile && search->profile->setup)) {
        what = xasprintf ("'%s' is in no directory of PATH (%.200s)%s", word,
                          path ? path : "not set",
                          own ? ", which env of the profile sets" : "");
        remedy =
            in_campaign (search, word)
                ? xasprintf ("write \"{campaign}/%s\"", word)
                : xstrdup ("write its full path, or add its directory to PATH");
        complain (search, mark, what, remedy);
        free (remedy);
        free (what);
    }
}

/* "python3 train.py" that is all of a command. */
static void complain_one_word (const struct search *search, struct mark mark,
                               const char *word)
{
    _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;
    _cleanup_ (strbuf_release) struct strbuf argv = STRBUF_INIT;

    strvec_split (&words, word, " \t");
    for (size_t i = 0; i < words.n; i++) {
        const char *quote = strchr (words.v[i], '{') ? "\"" : "";

        strbuf_addf (&argv, "%s%s%s%s", i > 0 ? ", " : "", quote, words.v[i],
                     quote);
    }
    mark.file = mark.file ? mark.file : search->c->file;
    problems_add (search->c->reader.problems, mark,
                  "'%s' is one word, and no shell splits it; write [%s]", word,
                  argv.buf);
}

/* A program whose path has blanks is there. */
static bool is_one_word (const char *text, const char *path)
{
    return text[strspn (text, " \t")] && strpbrk (text, " \t")
           && !(path && file_exists (path));
}

/* 'word' without placeholders; 'first': nothing ran before in its directory.
 */
static void check_program (const struct search *search, struct mark mark,
                           const char *word, bool first)
{
    if (word[0] == '/')
        check_path (search, mark, word);
    else if (strchr (word, '/'))
        check_relative (search, mark, word, first);
    else
        check_on_path (search, mark, word);
}

/* --- declared operators --- */

/* What is known of 'text' now; NULL when placeholders are not. */
static char *expand (const struct search *search, const char *text)
{
    _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;
    char *word = NULL;

    if (template_expand (text, search->values, &words, NULL) == 0
        && words.n == 1)
        word = xstrdup (words.v[0]);
    return word;
}

/* A file of the campaign that is named as if commands ran there, or that is
 * none.
 */
static void check_argument (const struct search *search,
                            const struct yaml_node *item)
{
    static const char campaign[] = "{campaign}/";
    bool below = strncmp (item->text, campaign, strlen (campaign)) == 0;
    _cleanup_free_ char *word = expand (search, item->text);
    _cleanup_free_ char *near = NULL;

    if (word && below && !file_exists (word)) {
        near = path_similar ("/", word);
        if (near)
            field_warning (item, "there is no '%s'; did you mean '%s'?", word,
                           near);
        else
            field_warning (item,
                           "there is no '%s'; put it there, unless the command "
                           "makes it",
                           word);
    } else if (word && word[0] != '/' && strpbrk (word, "./")
               && in_campaign (search, word)) {
        field_warning (item,
                       "'%s' is a file of the campaign's directory, and "
                       "commands run in one of their own; write "
                       "\"{campaign}/%s\"",
                       item->text, item->text);
    }
}

static void check_argv (const struct search *search,
                        const struct yaml_node *argv, bool first)
{
    size_t at = strcmp (argv->items[0]->text, "{launcher}") == 0 && argv->n > 1;
    const struct yaml_node *program = argv->items[at];
    char *word = expand (search, program->text);

    if (argv->n == 1 && is_one_word (program->text, word))
        complain_one_word (search, program->mark, program->text);
    else if (word && !search->image)
        check_program (search, program->mark, word, first);
    free (word);
    for (size_t i = at + 1; i < argv->n; i++) {
        if (argument_has_script (argv->items[i]->text))
            i++; /* its text */
        else
            check_argument (search, argv->items[i]);
    }
}

/* "mpirun -n 4 fit": ranks that the task does not have. */
static void check_ranks (const struct yaml_node *argv)
{
    const struct yaml_node *first = argv->n > 0 ? argv->items[0] : NULL;

    if (!first || first->kind != YAML_SCALAR
        || !program_is_launcher (first->text))
        return;
    for (size_t i = 1; i < argv->n; i++) {
        if (argv->items[i]->kind != YAML_SCALAR
            || strstr (argv->items[i]->text, "{ranks}")
            || strstr (argv->items[i]->text, "{cores}"))
            return;
    }
    field_warning (first,
                   "a task has the cores of its ranks, and nothing is known of "
                   "those that %s starts here; write \"{launcher}\" in its "
                   "place, and task: {ranks: N}",
                   first->text);
}

/* Where a shell stands, also behind what starts it ("env", "timeout 5",
 * "{launcher}"); argv->n: nowhere.
 */
static size_t shell_of (const struct yaml_node *argv)
{
    size_t i = 0;

    while (i < argv->n
           && (argv->items[i]->kind != YAML_SCALAR
               || !is_shell (argv->items[i]->text)))
        i++;
    return i;
}

static void check_declared (const struct yaml_node *argv,
                            enum program_place place, void *arg)
{
    struct search search = *(const struct search *)arg;
    bool several = argv->items[0]->kind == YAML_SEQUENCE;

    if (place == AT_PREPARE || place == AT_COLLECT)
        search.profile = NULL;
    for (size_t i = 0; i < (several ? argv->n : 1); i++) {
        const struct yaml_node *one = several ? argv->items[i] : argv;

        argv_check_shell (one);
        check_ranks (one);
        argv_check_failures (one, shell_of (one));
        check_argv (&search, one,
                    i == 0 && (place == AT_COMMAND || place == AT_WORKER));
    }
}

/* --- scripts --- */

static void check_script (const struct search *search,
                          const struct yaml_node *script)
{
    _cleanup_free_ char *program =
        script ? script_interpreter (script->text) : NULL;

    if (script && !search->image)
        check_program (search, script->mark, program ? program : "bash", true);
}

static void check_scripts (const struct search *search,
                           const struct yaml_node *declared)
{
    const struct search front = { .c = search->c,
                                  .values = search->values,
                                  .image = search->image };
    const struct yaml_node *programs =
        field_find (field_find (declared, "group"), "programs");

    check_script (search, field_find (declared, "script"));
    for (size_t i = 0; programs && i < programs->n; i++)
        check_script (search, field_find (programs->items[i], "script"));
    check_script (&front,
                  field_find (field_find (declared, "prepare"), "script"));
    check_script (&front,
                  field_find (field_find (declared, "collect"), "script"));
}

/* --- images --- */

/* Where a stage says which image, or its operator. */
static struct mark image_mark (const struct search *search,
                               const struct stage *stage,
                               const struct yaml_node *declared)
{
    const struct yaml_node *of_stage =
        field_find (search->c->stages, stage->name);
    const struct yaml_node *node = field_find (of_stage, "image");

    node = node ? node : field_find (declared, "image");
    return node ? node->mark : of_stage->mark;
}

/* An image in the campaign is there for all who see that; another one may be
 * elsewhere.
 */
static void check_image_file (const struct search *search, struct mark mark)
{
    _cleanup_free_ char *path =
        image_path (search->image, search->c->plan->dir);
    _cleanup_free_ char *near = path_similar ("/", path);
    char *what, *remedy;
    struct search campaign = *search;

    if (!image_is_remote (search->image) && !file_exists (path)) {
        what = xasprintf ("there is no image '%s'", search->image);
        remedy = near ? xasprintf ("did you mean '%s'?", near)
                      : xstrdup ("put it there, write its full path, or "
                                 "docker://... for one of a registry");
        if (search->image[0] != '/')
            campaign.profile = NULL;
        complain (&campaign, mark, what, remedy);
        free (remedy);
        free (what);
    }
}

/* What runs them, also beside the driver. */
static void check_image (const struct search *search, const struct stage *stage,
                         const struct yaml_node *declared)
{
    struct mark mark = image_mark (search, stage, declared);
    const char *program = stage->profile->container[0];
    const struct search front = { .c = search->c };

    check_image_file (search, mark);
    check_program (search, mark, program, true);
    if (!runs_here (search) && (stage->op->prepare || stage->op->collect))
        check_program (&front, mark, program, true);
}

/* --- built-in operators --- */

/* They start what is installed beside this program. */
static void check_builtin (const struct search *search,
                           const struct stage *stage)
{
    const struct yaml_node *node =
        field_find (field_find (search->c->stages, stage->name), "uses");

    for (const char *const *const *argv = stage->op->commands; argv && *argv;
         argv++) {
        bool launched = strcmp ((*argv)[0], "{launcher}") == 0;
        _cleanup_free_ char *path = expand (search, (*argv)[launched]);

        if (path && path[0] == '/' && !file_exists (path)) {
            _cleanup_free_ char *what =
                xasprintf ("there is no program '%s', which %s starts", path,
                           stage->op->name);

            complain (search, node ? node->mark : (struct mark){ 0 }, what,
                      "install it: 'make install' of a build with MPI puts it "
                      "beside fanfold");
        }
    }
}

/* --- inputs that are commands --- */

static void check_input (const struct search *search, const struct stage *stage,
                         const struct binding *binding)
{
    const struct json *list = binding->literal;
    const char *word = json_as_string (json_at (list, 0));

    if (!binding->port->program || !word[0])
        return;
    for (const char *const *name = operator_placeholders; *name; name++) {
        _cleanup_free_ char *text = xasprintf ("{%s}", *name);

        if (strstr (word, text))
            problems_add (search->c->reader.problems, binding->mark,
                          "stage '%s': %s: '%s' is replaced in the commands of "
                          "operators and not in inputs; write a full path",
                          stage->name, binding->port->name, text);
        if (strstr (word, text))
            word = "";
    }
    if (json_count (list) == 1 && is_one_word (word, word))
        complain_one_word (search, binding->mark, word);
    else if (word[0])
        check_program (search, binding->mark, word, true);
}

/* --- all of them --- */

static void check_stage (const struct compilation *c, const struct stage *stage)
{
    const struct yaml_node *declared =
        field_find (c->operators.node, stage->op->name);
    struct search search = { .c = c, .profile = stage->profile };

    search.values = json_object ();
    json_set (search.values, "campaign", json_string (c->plan->dir));
    if (c->program)
        json_set (search.values, "fanfold", json_string (c->program));
    search.image = stage->image;
    if (declared) {
        operator_argvs (declared, check_declared, &search);
        check_scripts (&search, declared);
    } else
        check_builtin (&search, stage);
    if (stage->image && declared)
        check_image (&search, stage, declared);
    for (size_t k = 0; k < stage->n_bindings; k++)
        check_input (&search, stage, &stage->bindings[k]);
    json_unref (search.values);
}

/* Programs that tell people, beside the driver. */
static void check_notices (const struct compilation *c)
{
    const struct notify *notify = &c->plan->notify;
    _cleanup_json_ struct json *values = json_object ();
    const struct search search = { .c = c, .values = values };

    json_set (values, "campaign", json_string (c->plan->dir));
    if (c->program)
        json_set (values, "fanfold", json_string (c->program));
    for (size_t i = 0; i < NOTICE_EVENTS; i++) {
        const char *const *argv = notify->argv[i];
        _cleanup_free_ char *word = argv ? expand (&search, argv[0]) : NULL;

        if (word && !argv[1] && is_one_word (argv[0], word))
            complain_one_word (&search, notify->mark[i], argv[0]);
        else if (word && word[0] == '/')
            check_path (&search, notify->mark[i], word);
        else if (word && !strchr (word, '/')) /* else it was refused */
            check_on_path (&search, notify->mark[i], word);
    }
}

void programs_check (const struct compilation *c)
{
    if (c->notices)
        check_notices (c);
    for (size_t i = 0; i < c->plan->n_stages; i++) {
        const struct stage *stage = &c->plan->stages[i];

        if (stage->op && stage->profile)
            check_stage (c, stage);
    }
}
