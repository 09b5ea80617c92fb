/* SPDX-License-Identifier: BSD-3-Clause */
/* shell_imports.c - `. FILE` and `source FILE` in the text of a shell script */
#include "base/base.h"

#include "campaign/imports.h"

/* What a word of which more is known than its text begins with: the campaign's
 * directory, or that of the script.
 */
#define CAMPAIGN_DIR '\001'
#define SCRIPT_DIR '\002'

struct scan {
    const char *text, *at;
    struct imports *imports;
    struct strvec names, values; /* of variables of which words are known */
    struct strvec documents; /* here-documents that begin at the next line */
    struct strbuf cwd;       /* where commands run, if it changed */
    bool moved;              /* it did, ... */
    bool lost;               /* to where nothing is known of */
};

/* --- variables --- */

static void set_variable (struct scan *scan, const char *name,
                          const char *value)
{
    strvec_push (&scan->names, name);
    strvec_push (&scan->values, value);
}

/* The value that was set last; "": it is not known. */
static const char *variable (const struct scan *scan, const char *name,
                             size_t len)
{
    for (size_t i = scan->names.n; i-- > 0;) {
        if (strlen (scan->names.v[i]) == len
            && strncmp (scan->names.v[i], name, len) == 0)
            return scan->values.v[i];
    }
    return "";
}

static size_t name_length (const char *at)
{
    size_t len = 0;

    while (at[len] == '_' || (at[len] >= 'a' && at[len] <= 'z')
           || (at[len] >= 'A' && at[len] <= 'Z')
           || (len > 0 && at[len] >= '0' && at[len] <= '9'))
        len++;
    return len;
}

/* --- substitutions --- */

/* Behind the ')' or '}' that belongs to what is open at 'at'. */
static const char *closing (const char *at, char open, char close)
{
    int depth = 1;

    for (; *at; at++) {
        if (*at == '\\' && at[1]) {
            at++;
        } else if (*at == '\'') {
            at += 1 + strcspn (at + 1, "'");
            if (!*at)
                break;
        } else if (*at == open) {
            depth++;
        } else if (*at == close && --depth == 0) {
            return at + 1;
        }
    }
    return at;
}

/* Is the command that is substituted one of those by which scripts find where
 * they are?
 */
static bool says_script_dir (const char *text, size_t len)
{
    static const char *const ways[] = {
        "dirname$0",
        "dirname${0}",
        "dirname--$0",
        "dirname$BASH_SOURCE",
        "dirname${BASH_SOURCE}",
        "dirname${BASH_SOURCE[0]}",
        "dirname--${BASH_SOURCE[0]}",
        "cd$(dirname$0)&&pwd",
        "cd$(dirname${BASH_SOURCE[0]})&&pwd",
        "cd$(dirname${BASH_SOURCE[0]})>/dev/null&&pwd",
        "cd$(dirname${BASH_SOURCE[0]})&>/dev/null&&pwd",
        "cd$(dirname${BASH_SOURCE[0]})>/dev/null2>&1&&pwd",
        "cd--$(dirname--${BASH_SOURCE[0]})&&pwd",
        "cd--$(dirname--${BASH_SOURCE[0]})&>/dev/null&&pwd",
        NULL,
    };
    _cleanup_ (strbuf_release) struct strbuf bare = STRBUF_INIT;
    bool says;

    for (size_t i = 0; i < len; i++) {
        if (!strchr (" \t\n\"", text[i]))
            strbuf_add_char (&bare, text[i]);
    }
    says = words_contain (ways, bare.buf);
    return says;
}

static bool add_script_dir (struct strbuf *word)
{
    bool first = word->len == 0;

    strbuf_add_char (word, SCRIPT_DIR);
    return first;
}

/* "${NAME}", "${0%...}"; false where it is not known what that is. */
static bool take_braces (struct scan *scan, struct strbuf *word)
{
    static const char *const script_dirs[] = { "0%/*", "BASH_SOURCE%/*",
                                               "BASH_SOURCE[0]%/*", NULL };
    const char *at = scan->at + 2, *end = closing (at, '{', '}'), *value;
    _cleanup_free_ char *text =
        xstrndup (at, end > at ? (size_t)(end - at) - 1 : 0);
    size_t len = name_length (text);
    bool known = false;

    scan->at = end;
    if (words_contain (script_dirs, text)) {
        known = add_script_dir (word);
    } else if (len > 0 && text[len] == '\0') {
        value = variable (scan, text, len);
        known = *value && (word->len == 0 || *value > SCRIPT_DIR);
        strbuf_add_str (word, value);
    }
    return known;
}

static bool take_dollar (struct scan *scan, struct strbuf *word)
{
    const char *at = scan->at + 1, *end, *value;
    size_t len = name_length (at);

    if (*at == '{')
        return take_braces (scan, word);
    if (*at == '(') {
        end = closing (at + 1, '(', ')');
        scan->at = end;
        return end - at > 2 && says_script_dir (at + 1, (size_t)(end - at) - 2)
               && add_script_dir (word);
    }
    scan->at = at + (len > 0 ? len : *at != '\0');
    value = variable (scan, at, len);
    strbuf_add_str (word, value);
    return *value && (word->len == strlen (value) || *value > SCRIPT_DIR);
}

static bool take_backticks (struct scan *scan, struct strbuf *word)
{
    const char *at = scan->at + 1;
    size_t len = strcspn (at, "`");

    scan->at = at + len + (at[len] == '`');
    return says_script_dir (at, len) && add_script_dir (word);
}

/* --- words --- */

/* Behind the quote; false where not all of it is known. */
static bool take_quoted (struct scan *scan, struct strbuf *word)
{
    bool known = true;

    for (scan->at++; *scan->at && *scan->at != '"';) {
        if (*scan->at == '$') {
            known = take_dollar (scan, word) && known;
        } else if (*scan->at == '`') {
            known = take_backticks (scan, word) && known;
        } else {
            scan->at += scan->at[0] == '\\' && scan->at[1];
            strbuf_add_char (word, *scan->at++);
        }
    }
    scan->at += *scan->at == '"';
    return known;
}

static bool take_literal (struct scan *scan, struct strbuf *word)
{
    size_t len = strcspn (scan->at + 1, "'");

    strbuf_add (word, scan->at + 1, len);
    scan->at += 1 + len;
    scan->at += *scan->at == '\'';
    return true;
}

/* The word that begins here, without its quotes; false where a shell makes
 * something of it that is not known.
 */
static bool take_word (struct scan *scan, struct strbuf *word)
{
    bool known = true;

    while (*scan->at && !strchr (" \t\r\n;&|<>()", *scan->at)) {
        char c = *scan->at;

        if (c == '\\' && scan->at[1] == '\n') {
            scan->at += 2;
        } else if (c == '"') {
            known = take_quoted (scan, word) && known;
        } else if (c == '\'') {
            known = take_literal (scan, word) && known;
        } else if (c == '$') {
            known = take_dollar (scan, word) && known;
        } else if (c == '`') {
            known = take_backticks (scan, word) && known;
        } else {
            known = known && !strchr ("*?[{~", c);
            scan->at += c == '\\' && scan->at[1];
            strbuf_add_char (word, *scan->at++);
        }
    }
    return known;
}

static void skip_blanks (struct scan *scan)
{
    for (;;) {
        scan->at += strspn (scan->at, " \t\r");
        if (scan->at[0] != '\\' || scan->at[1] != '\n')
            return;
        scan->at += 2;
    }
}

/* --- commands --- */

static void change_directory (struct scan *scan)
{
    _cleanup_ (strbuf_release) struct strbuf to = STRBUF_INIT;
    bool known;

    skip_blanks (scan);
    known = take_word (scan, &to) && to.len > 0;
    scan->moved = true;
    scan->lost = !known || (unsigned char)to.buf[0] > SCRIPT_DIR;
    strbuf_reset (&scan->cwd);
    strbuf_add (&scan->cwd, to.buf, scan->lost ? 0 : to.len);
}

/* 'path' begins with what says from where it is seen. */
static void add_path (struct scan *scan, const char *at, const char *path)
{
    enum import_from from = path[0] == CAMPAIGN_DIR ? IMPORT_CAMPAIGN
                            : path[0] == SCRIPT_DIR ? IMPORT_BESIDE
                                                    : IMPORT_PATH;
    const char *rest = path + (from != IMPORT_PATH);

    if (from != IMPORT_PATH && *rest != '/')
        return;
    rest += from != IMPORT_PATH;
    if (*rest)
        imports_add (scan->imports, scan->text, at, from, 0, rest);
}

static void read_sourced (struct scan *scan)
{
    _cleanup_ (strbuf_release) struct strbuf word = STRBUF_INIT;
    _cleanup_ (strbuf_release) struct strbuf path = STRBUF_INIT;
    const char *at;

    skip_blanks (scan);
    at = scan->at;
    if (take_word (scan, &word) && word.len > 0) {
        bool relative =
            word.buf[0] != '/' && (unsigned char)word.buf[0] > SCRIPT_DIR;

        if (relative && scan->moved)
            strbuf_addf (&path, "%s/", scan->cwd.buf);
        strbuf_add (&path, word.buf, word.len);
        if (!relative || !scan->lost)
            add_path (scan, at, path.buf);
    }
}

/* NAME=VALUE, before a command or alone; false: it is none. */
static bool take_assignment (struct scan *scan)
{
    size_t len = name_length (scan->at);
    bool adds = scan->at[len] == '+';
    _cleanup_ (strbuf_release) struct strbuf value = STRBUF_INIT;
    bool known;
    _cleanup_free_ char *name = NULL;

    if (len == 0 || scan->at[len + adds] != '=')
        return false;
    name = xstrndup (scan->at, len);
    scan->at += len + adds + 1;
    known = take_word (scan, &value) && !adds;
    set_variable (scan, name, known ? value.buf : "");
    return true;
}

/* A word where a command may begin; does one begin behind it, too? */
static bool read_command (struct scan *scan)
{
    static const char *const before[] = {
        "if",      "then",    "else",    "elif",    "while",    "until",
        "do",      "!",       "{",       "time",    "local",    "export",
        "builtin", "command", "declare", "typeset", "readonly", NULL
    };
    _cleanup_ (strbuf_release) struct strbuf word = STRBUF_INIT;
    bool more = take_assignment (scan);

    if (more)
        return true;
    (void)take_word (scan, &word);
    if (strcmp (word.buf, ".") == 0 || strcmp (word.buf, "source") == 0) {
        read_sourced (scan);
    } else if (strcmp (word.buf, "cd") == 0
               || strcmp (word.buf, "pushd") == 0) {
        change_directory (scan);
    } else {
        more = words_contain (before, word.buf);
    }
    return more;
}

/* --- the text --- */

/* Behind "<<": the word that ends what begins at the next line. */
static void read_document (struct scan *scan)
{
    _cleanup_ (strbuf_release) struct strbuf word = STRBUF_INIT;
    bool dash = *scan->at == '-';

    scan->at += dash;
    skip_blanks (scan);
    (void)take_word (scan, &word);
    strvec_pushf (&scan->documents, "%c%s", dash ? '-' : ' ', word.buf);
}

static void skip_document (struct scan *scan, const char *end)
{
    while (*scan->at) {
        const char *line = scan->at;
        size_t len = strcspn (line, "\n");

        scan->at += len + (line[len] == '\n');
        while (end[0] == '-' && len > 0 && *line == '\t')
            line++, len--;
        if (strlen (end + 1) == len && strncmp (line, end + 1, len) == 0)
            return;
    }
}

/* Behind the end of a line. */
static void skip_documents (struct scan *scan)
{
    for (size_t i = 0; i < scan->documents.n; i++)
        skip_document (scan, scan->documents.v[i]);
    strvec_release (&scan->documents);
    strvec_init (&scan->documents);
}

/* What is between words; does a command begin behind it? */
static bool read_separator (struct scan *scan, bool begins)
{
    const char *at = scan->at;

    if (*at == '#') {
        scan->at += strcspn (at, "\n");
        return begins;
    }
    if (strncmp (at, "<<<", 3) == 0) {
        scan->at += 3;
        return false;
    }
    scan->at++;
    if (*at == '\n')
        skip_documents (scan);
    if (strncmp (at, "<<", 2) == 0) {
        scan->at++;
        read_document (scan);
    }
    return *at != '<' && *at != '>';
}

void imports_of_shell (const char *text, struct imports *imports)
{
    struct scan scan = { .text = text,
                         .at = text,
                         .imports = imports,
                         .names = STRVEC_INIT,
                         .values = STRVEC_INIT,
                         .documents = STRVEC_INIT,
                         .cwd = STRBUF_INIT };
    char campaign[] = { CAMPAIGN_DIR, '\0' };
    struct strbuf word = STRBUF_INIT;
    bool begins = true;

    set_variable (&scan, "campaign", campaign);
    for (skip_blanks (&scan); *scan.at; skip_blanks (&scan)) {
        strbuf_reset (&word);
        if (strchr ("\n;&|()<>#", *scan.at))
            begins = read_separator (&scan, begins);
        else if (begins)
            begins = read_command (&scan);
        else
            (void)take_word (&scan, &word);
    }
    strbuf_release (&word);
    strbuf_release (&scan.cwd);
    strvec_release (&scan.documents);
    strvec_release (&scan.values);
    strvec_release (&scan.names);
}
