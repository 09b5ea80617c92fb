/* SPDX-License-Identifier: BSD-3-Clause */
/* trial.c - has LAMMPS the pair styles that a stage uses?
 *
 * It is asked which it has, plugins included.  Of hybrid styles the first word
 * alone is known to be one; and deepmd, wherever it stands.
 */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "operators/kit.h"
#include "operators/lammps/lammps.h"
#include "signature/template.h"

static const char blanks[] = " \t\r";

/* --- which it uses --- */

/* "{deepmd}" is the line's committee. */
static const char *style_of_word (const char *word)
{
    return strcmp (word, "{deepmd}") == 0 ? "deepmd" : word;
}

static void add_style (const char *word, struct strvec *styles)
{
    const char *style = style_of_word (word);

    if (!strchr (style, '{') && !strchr (style, '$')
        && !strvec_contains (styles, style))
        strvec_push (styles, style);
}

/* What stands behind `pair_style`. */
static void add_styles (const char *line, struct strvec *styles)
{
    _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;

    strvec_split (&words, line, blanks);
    for (size_t i = 0; i < words.n; i++) {
        if (i == 0 || strcmp (style_of_word (words.v[i]), "deepmd") == 0)
            add_style (words.v[i], styles);
    }
}

/* Of the lines of a template. */
static void add_template_styles (const char *path, struct strvec *styles)
{
    static const char key[] = "pair_style";
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    _cleanup_ (strvec_release) struct strvec lines = STRVEC_INIT;

    if (file_read (path, TEMPLATE_MAX_BYTES, &text, NULL) == 0)
        strvec_split (&lines, text.buf, "\n");
    for (size_t i = 0; i < lines.n; i++) {
        const char *line = lines.v[i] + strspn (lines.v[i], blanks);

        if (strncmp (line, key, strlen (key)) == 0)
            add_styles (line + strlen (key), styles);
    }
}

static struct json *ask (const struct json *inputs)
{
    static const char *const arguments[] = LAMMPS_ARGUMENTS (CODE_TRIAL_FILE);
    const char *line = json_get_string (inputs, "pair_style");
    const char *template = json_get_string (inputs, "input");
    _cleanup_ (strvec_release) struct strvec styles = STRVEC_INIT;
    struct json *question = json_object ();
    struct json *names = json_array ();

    if (line[0])
        add_styles (line, &styles);
    else if (template[0])
        add_template_styles (template, &styles);
    json_set (question, "arguments", argv_to_json (arguments));
    json_set (question, "file", json_string ("info styles pair\n"));
    for (size_t i = 0; i < styles.n; i++)
        json_push (names, json_string (styles.v[i]));
    json_set (question, "styles", names);
    return question;
}

/* --- which it has --- */

/* Append the names between the heading and the line that ends the report. */
static int read_styles (const char *printed, struct strvec *names)
{
    static const char heading[] = "\nPair styles:";
    const char *at = strstr (printed, heading);
    const char *end = at ? strstr (at, "\nInfo-Info") : NULL;
    _cleanup_ (strbuf_release) struct strbuf list = STRBUF_INIT;

    if (!end)
        return -1;
    at += strlen (heading);
    strbuf_add (&list, at, (size_t)(end - at));
    strvec_split (names, list.buf, " \t\r\n");
    return 0;
}

/* "LAMMPS (29 Sep 2021)", its first line. */
static void add_version (const char *printed, struct strbuf *says)
{
    const char *at = strstr (printed, lammps_code.first_words);

    if (at)
        strbuf_add (says, at, strcspn (at, "\r\n"));
    else
        strbuf_add_str (says, lammps_code.name);
}

static enum grade judge_silent (const char *printed, struct strbuf *says)
{
    _cleanup_ (strbuf_release) struct strbuf error = STRBUF_INIT;

    (void)code_judge (&lammps_code, printed, true, &error);
    strbuf_addf (says,
                 "LAMMPS did not tell its pair styles%s%s; see that `lammps` "
                 "of the stage runs it with -in FILE",
                 error.len > 0 ? ": " : "", error.buf);
    return GRADE_BAD;
}

static enum grade judge_styles (const struct json *styles,
                                const struct strvec *there, const char *printed,
                                struct strbuf *says)
{
    for (size_t i = 0; i < json_count (styles); i++) {
        const char *style = json_as_string (json_at (styles, i));

        if (strvec_contains (there, style))
            continue;
        if (strcmp (style, "deepmd") == 0)
            strbuf_add_str (says, LAMMPS_LACKS_DEEPMD);
        else
            strbuf_addf (says,
                         "this LAMMPS has no pair_style %s; name one that was "
                         "built with its package, lammps: [PROGRAM]",
                         style);
        return GRADE_BAD;
    }
    add_version (printed, says);
    for (size_t i = 0; i < json_count (styles); i++)
        strbuf_addf (says, "%s %s", i == 0 ? " has pair_style" : ",",
                     json_as_string (json_at (styles, i)));
    return GRADE_GOOD;
}

static enum grade judge (const struct json *question, const char *printed,
                         struct strbuf *says)
{
    _cleanup_ (strvec_release) struct strvec there = STRVEC_INIT;
    enum grade grade;

    if (read_styles (printed, &there) < 0)
        grade = judge_silent (printed, says);
    else
        grade =
            judge_styles (json_get (question, "styles"), &there, printed, says);
    return grade;
}

const struct code_trial lammps_trial = { "lammps", ask, judge };
