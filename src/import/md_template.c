/* SPDX-License-Identifier: BSD-3-Clause */
/* md_template.c - a LAMMPS input template with words to be replaced, as the
 * user's lines of lammps.explore
 */
#include "base/base.h"

#include "base/json.h"
#include "import/md_template.h"

/* --- words of lines --- */

static void line_words (const char *line, struct strvec *words)
{
    size_t len = strcspn (line, "#\n");
    _cleanup_free_ char *text = xstrndup (line, len);

    strvec_split (words, text, " \t\r");
}

static const char *next_line (const char *line)
{
    const char *end = strchr (line, '\n');

    return end ? end + 1 : line + strlen (line);
}

static bool word_is (const struct strvec *words, size_t i, const char *word)
{
    return i < words->n && strcmp (words->v[i], word) == 0;
}

/* --- steps --- */

/* The argument of the only `run`; NULL: there is none, or several.  Caller
 * frees.
 */
static char *run_argument (const char *text)
{
    size_t runs = 0;
    char *found = NULL;

    for (const char *line = text; *line; line = next_line (line)) {
        _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;

        line_words (line, &words);
        if (word_is (&words, 0, "run") && words.n > 1) {
            free (found);
            found = xstrdup (words.v[1]);
            runs++;
        }
    }
    if (runs > 1) {
        free (found);
        found = NULL;
    }
    return found;
}

/* How the variable NAME is defined: its last word.  Caller frees. */
static char *definition (const char *text, const char *name)
{
    char *found = NULL;

    for (const char *line = text; *line && !found; line = next_line (line)) {
        _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;

        line_words (line, &words);
        if (words.n == 4 && word_is (&words, 0, "variable")
            && word_is (&words, 1, name))
            found = xstrdup (words.v[3]);
    }
    return found;
}

/* "${NAME}" -> NAME; NULL: it is no variable.  Caller frees. */
static char *variable_name (const char *word)
{
    size_t len = strlen (word);

    if (len < 4 || strncmp (word, "${", 2) != 0 || word[len - 1] != '}')
        return NULL;
    return xstrndup (word + 2, len - 3);
}

/* What the `run` comes to: a number, or a word of the template.  Caller frees;
 * NULL: there is no run, or more than names of variables behind it.
 */
static char *steps_text (const struct md_template *t)
{
    char *word = run_argument (t->lammps);

    /* A variable of a variable of a variable is the deepest that people
     * write.
     */
    for (int depth = 0; word && depth < 4; depth++) {
        char *name = variable_name (word);

        if (!name)
            return word;
        free (word);
        word = definition (t->lammps, name);
        free (name);
    }
    free (word);
    return NULL;
}

static bool whole_number (const char *text, int64_t *out)
{
    char *end;
    double v = strtod (text, &end);

    if (end == text || *end || v < 1 || v > 1e15 || v != (double)(int64_t)v)
        return false;
    *out = (int64_t)v;
    return true;
}

int md_template_steps (const struct md_template *t, int64_t *steps,
                       struct error *err)
{
    char *text = steps_text (t);
    const struct json *value = text ? json_get (t->variables, text) : NULL;
    bool known = false;

    if (json_kind (value) == JSON_KIND_STRING)
        known = whole_number (json_as_string (value), steps);
    else if (value && json_as_double (value) >= 1) {
        *steps = (int64_t)json_as_double (value);
        known = true;
    } else if (text) {
        known = whole_number (text, steps);
    }
    free (text);
    if (known)
        return 0;
    return error_set (err,
                      "%s: it must have one `run`, with the number of steps as "
                      "a number or as a word with values; write it so, then "
                      "import again",
                      t->name);
}

const char *md_template_steps_word (const struct md_template *t,
                                    const struct json *words)
{
    _cleanup_free_ char *text = steps_text (t);
    const char *found = NULL;

    if (text) {
        JSON_FOREACH (words, it) {
            if (strcmp (json_iter_key (it), text) == 0)
                found = json_iter_key (it);
        }
    }
    return found;
}

/* --- lines that are Fanfold's --- */

/* Commands that lammps.explore gives, or that must come before what it gives.
 */
static bool is_ours (const struct strvec *words, const char *line)
{
    static const char *const commands[] = {
        "units",        "boundary",   "atom_style", "atom_modify", "read_data",
        "read_restart", "pair_style", "pair_coeff", "restart",     "dimension",
        "processors",   "newton",     "box",        NULL,
    };
    size_t len = strcspn (line, "\n");

    if (words->n == 0)
        return false;
    if (words_contain (commands, words->v[0]))
        return true;
    if (word_is (words, 0, "dump") || word_is (words, 0, "dump_modify"))
        return word_is (words, 1, "dpgen_dump");
    if (strcmp (words->v[0], "if") != 0)
        return false;
    return memmem (line, len, "read_data", 9)
           || memmem (line, len, "read_restart", 12)
           || memmem (line, len, "dump_modify", 11);
}

/* Lines that would mean something else with what lammps.explore writes, which
 * has units metal, atom_style atomic, periodic boundaries, and its pair_style
 * before the user's lines.
 */
static const struct {
    const char *command;
    const char *value; /* what may follow; NULL: nothing may */
    const char *reason;
} refused_lines[] = {
    { "boundary", "p p p",
      "lammps.explore has periodic boundaries; take the line out, then import "
      "again" },
    { "units", "metal",
      "lammps.explore has units metal; convert the numbers of the template, "
      "then import again" },
    { "atom_style", "atomic",
      "lammps.explore has atom_style atomic; take the line out and what needs "
      "it, then import again" },
    { "plugin", NULL,
      "pair_style comes before it; take the line out, name the plugin's "
      "directory in LAMMPS_PLUGIN_PATH (envs of the resources), then import "
      "again" },
    { "package", NULL,
      "the box comes before it; take the line out, write it as -pk into the "
      "command of model_devi, then import again" },
};

static int check_line (const struct md_template *t, const struct strvec *words,
                       const char *line, struct error *err)
{
    size_t len = strcspn (line, "\n");
    _cleanup_ (strbuf_release) struct strbuf rest = STRBUF_INIT;
    int rc = 0;

    for (size_t i = 1; i < words->n; i++)
        strbuf_addf (&rest, "%s%s", i > 1 ? " " : "", words->v[i]);
    for (size_t i = 0; rc == 0 && i < ARRAY_SIZE (refused_lines); i++) {
        const char *value = refused_lines[i].value;

        if (word_is (words, 0, refused_lines[i].command)
            && (!value || strcmp (rest.buf, value) != 0))
            rc = error_set (err, "%s: '%.*s' is not possible, since %s",
                            t->name, (int)(len < 60 ? len : 60), line,
                            refused_lines[i].reason);
    }
    return rc;
}

/* --- variables of the template with names that lammps.explore sets --- */

static bool is_name_char (char c)
{
    return isalnum ((unsigned char)c) || c == '_';
}

/* Does 'at', a place in 'text', have the variable NAME: ${NAME}, v_NAME, or
 * its definition?
 */
static bool is_variable (const char *text, const char *at, const char *name)
{
    const char *before = at;

    if (strncmp (at, name, strlen (name)) != 0
        || is_name_char (at[strlen (name)]))
        return false;
    if (at - text >= 2 && strncmp (at - 2, "${", 2) == 0)
        return true;
    if (at - text >= 2 && strncmp (at - 2, "v_", 2) == 0)
        return at - text == 2 || !is_name_char (at[-3]);
    while (before > text && (before[-1] == ' ' || before[-1] == '\t'))
        before--;
    return before < at && before - text >= 8
           && strncmp (before - 8, "variable", 8) == 0
           && (before - text == 8 || !is_name_char (before[-9]));
}

/* The text with "my_" before the name, everywhere.  Caller frees. */
static char *rename_variable (const char *text, const char *name)
{
    struct strbuf out = STRBUF_INIT;

    for (const char *at = text; *at; at++) {
        if (is_variable (text, at, name))
            strbuf_add_str (&out, "my_");
        strbuf_add_char (&out, *at);
    }
    return strbuf_detach (&out);
}

static bool defines (const char *text, const char *name)
{
    bool found = false;

    for (const char *line = text; *line && !found; line = next_line (line)) {
        _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;

        line_words (line, &words);
        found = word_is (&words, 0, "variable") && word_is (&words, 1, name);
    }
    return found;
}

/* The template's text without variables of these names.  Caller frees. */
static char *own_variables (const char *text)
{
    static const char *const names[] = { "seed", "steps" };
    char *renamed = xstrdup (text);

    for (size_t i = 0; i < ARRAY_SIZE (names); i++) {
        if (defines (renamed, names[i])) {
            char *next = rename_variable (renamed, names[i]);

            free (renamed);
            renamed = next;
        }
    }
    return renamed;
}

/* --- replacing --- */

/* The value of 'word' where it begins at 'at'; its length. */
static const char *word_here (const struct md_template *t, const char *at)
{
    JSON_FOREACH (t->variables, it) {
        const char *word = json_iter_key (it);

        if (*word && strncmp (at, word, strlen (word)) == 0)
            return word;
    }
    return NULL;
}

static void add_replaced (const struct md_template *t, const char *text,
                          size_t len, struct strbuf *out)
{
    const char *end = text + len;

    while (text < end) {
        const char *word = word_here (t, text);
        const struct json *value;

        if (!word || text + strlen (word) > end) {
            strbuf_add_char (out, *text++);
            continue;
        }
        value = json_get (t->variables, word);
        if (json_get (t->for_each, word))
            strbuf_addf (out, "${%s}", word);
        else if (json_kind (value) == JSON_KIND_STRING)
            strbuf_add_str (out, json_as_string (value));
        else
            json_dump (value, JSON_COMPACT, out);
        text += strlen (word);
    }
}

/* LAMMPS writes the file, so that its variables are replaced in it. */
static int add_print (const struct md_template *t, const char *text,
                      const char *file, struct strbuf *out, struct error *err)
{
    if (strstr (text, "\"") || strstr (text, "'") || strchr (text, '$'))
        return error_set (err,
                          "%s: the PLUMED file has quotes or '$', which "
                          "cannot be handed over by a LAMMPS input; take them "
                          "out of it, then import again",
                          t->name);
    strbuf_add_str (out, "print           \"\"\"");
    add_replaced (t, text, strlen (text), out);
    while (out->len > 0 && out->buf[out->len - 1] == '\n')
        strbuf_truncate (out, out->len - 1);
    strbuf_addf (out, "\"\"\" file %s screen no\n", file);
    return 0;
}

static int add_plumed (const struct md_template *t, struct strbuf *out,
                       struct error *err)
{
    if (t->plumed_path
        && add_print (t, t->plumed_path, "plmpath.pdb", out, err) < 0)
        return -1;
    if (add_print (t, t->plumed, "input.plumed", out, err) < 0)
        return -1;
    strbuf_add_str (out, "fix             dpgen_plm all plumed plumedfile "
                         "input.plumed outfile output.plumed\n");
    return 0;
}

static int add_line (const struct md_template *t, const char *line,
                     struct strbuf *out, struct error *err)
{
    _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;
    size_t len = strcspn (line, "\n");
    int rc = 0;

    line_words (line, &words);
    if ((rc = check_line (t, &words, line, err)) < 0) {
        /* said there */
    } else if (is_ours (&words, line)) {
        strbuf_addf (out, "# (Fanfold writes this) %.*s\n", (int)len, line);
    } else if (t->plumed && word_is (&words, 0, "fix")
               && word_is (&words, 1, "dpgen_plm")) {
        rc = add_plumed (t, out, err);
    } else if (word_is (&words, 0, "run")) {
        strbuf_add_str (out, "run             ${steps}\n");
    } else {
        add_replaced (t, line, len, out);
        strbuf_add_char (out, '\n');
    }
    return rc;
}

/* DP-GEN and DPGEN2, too, stop where there is no such line, or two. */
static int check_plumed (const struct md_template *t, struct error *err)
{
    size_t n = 0;

    for (const char *line = t->lammps; *line; line = next_line (line)) {
        _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;

        line_words (line, &words);
        n += word_is (&words, 0, "fix") && word_is (&words, 1, "dpgen_plm");
    }
    if (!t->plumed || n == 1)
        return 0;
    return error_set (err,
                      "%s: with a PLUMED file it must have one line 'fix "
                      "dpgen_plm', found %zu; write it where PLUMED is to "
                      "begin, then import again",
                      t->name, n);
}

int md_template_write (const struct md_template *t, struct strbuf *out,
                       struct error *err)
{
    size_t start = out->len;
    _cleanup_free_ char *lammps = own_variables (t->lammps);
    int rc = check_plumed (t, err);

    strbuf_addf (out,
                 "# From %s, with the words that change from task to task "
                 "as variables.\n",
                 t->name);
    if (strstr (lammps, "${restart}"))
        strbuf_add_str (out, "variable        restart equal 0\n");
    for (const char *line = lammps; rc == 0 && *line; line = next_line (line))
        rc = add_line (t, line, out, err);
    if (rc < 0)
        strbuf_truncate (out, start);
    return rc;
}
