/* SPDX-License-Identifier: BSD-3-Clause */
/* shell_text.c - which variables the text of a shell script reads and sets */
#include "base/base.h"

#include "campaign/shell_text.h"

/* What text is read as. */
enum mode {
    CODE,
    QUOTED,      /* "..." */
    ARITHMETIC,  /* ((...)) */
    PARENTHESIS, /* (...) in that */
    DOCUMENT,    /* a here-document with variables */
};

enum { DEPTH_MAX = 64, DOCUMENTS_MAX = 16 };

/* A here-document that begins with the next line. */
struct document {
    char *end;    /* the line that ends it */
    bool literal; /* quoted: nothing in it is a variable */
    bool tabs;    /* <<-: tabs before its lines do not count */
};

struct reading {
    struct shell_text *shell;
    const char *text, *at, *line_start;
    int line;
    enum mode modes[DEPTH_MAX]; /* the innermost is the last */
    int depth;
    struct document documents[DOCUMENTS_MAX];
    size_t n_documents;
    bool setting; /* this line has a word such as read or local */
    bool unsure;
};

/* --- what was found --- */

static void add_word (struct shell_words *words, const struct reading *r,
                      const char *at, size_t len)
{
    words->v =
        grow_array (words->v, words->n, &words->alloc, sizeof (*words->v));
    words->v[words->n++] = (struct shell_word){ xstrndup (at, len), r->line,
                                                (int)(at - r->line_start) };
}

static void add_set (const struct reading *r, const char *at, size_t len)
{
    _cleanup_free_ char *name = xstrndup (at, len);

    if (!strvec_contains (&r->shell->set, name))
        strvec_push (&r->shell->set, name);
}

/* --- characters and words --- */

static size_t name_length (const char *at)
{
    size_t len = 0;

    if (isalpha ((unsigned char)*at) || *at == '_')
        while (isalnum ((unsigned char)at[len]) || at[len] == '_')
            len++;
    return len;
}

static enum mode mode_of (const struct reading *r)
{
    return r->modes[r->depth];
}

static void enter (struct reading *r, enum mode mode)
{
    if (r->depth + 1 == DEPTH_MAX)
        r->unsure = true;
    else
        r->modes[++r->depth] = mode;
}

static void leave (struct reading *r)
{
    if (r->depth > 0)
        r->depth--;
}

static void next_line (struct reading *r)
{
    r->line++;
    r->line_start = r->at;
    r->setting = false;
}

/* Pass what is up to the next 'c', with it. */
static void skip_to (struct reading *r, char c)
{
    for (; *r->at && *r->at != c; r->at++) {
        if (*r->at == '\n') {
            r->line++;
            r->line_start = r->at + 1;
        }
    }
    if (*r->at)
        r->at++;
    else
        r->unsure = true;
}

/* The rest of $'...', in which \\' is no end. */
static void skip_escaped (struct reading *r)
{
    for (; *r->at && *r->at != '\''; r->at++) {
        r->at += r->at[0] == '\\' && r->at[1];
        if (*r->at == '\n') {
            r->line++;
            r->line_start = r->at + 1;
        }
    }
    skip_to (r, '\'');
}

static bool at_word_start (const struct reading *r)
{
    return r->at == r->text || strchr (" \t\n;&|(){}!`\"'", r->at[-1]);
}

static bool is_one_of (const char *at, size_t len, const char *const *words)
{
    for (; *words; words++) {
        if (strlen (*words) == len && strncmp (*words, at, len) == 0)
            return true;
    }
    return false;
}

/* --- variables that are read --- */

/* After "${": its name, and what follows that. */
static void read_parameter (struct reading *r)
{
    static const char *const guards[] = { ":-", ":=", ":+", ":?", "-",
                                          "=",  "+",  "?",  NULL };
    size_t len;
    bool guarded = false;

    if (*r->at == '!')
        r->unsure = true; /* the variable whose name another one has */
    if (*r->at == '#' && name_length (r->at + 1) > 0)
        r->at++;
    len = name_length (r->at);
    for (const char *const *guard = guards; *guard; guard++)
        guarded =
            guarded || strncmp (r->at + len, *guard, strlen (*guard)) == 0;
    if (len > 0 && guarded && r->at[len + (r->at[len] == ':')] == '=')
        add_set (r, r->at, len);
    if (len > 0 && !guarded)
        add_word (&r->shell->reads, r, r->at, len);
    r->at += len;
}

/* At a "$". */
static void read_dollar (struct reading *r)
{
    size_t len;

    r->at++;
    if (r->at[0] == '(' && r->at[1] == '(') {
        r->at += 2;
        enter (r, ARITHMETIC);
    } else if (*r->at == '(') {
        r->at++;
        enter (r, CODE);
    } else if (*r->at == '{') {
        r->at++;
        read_parameter (r);
    } else if (*r->at == '\'' && mode_of (r) == CODE) {
        r->at++;
        skip_escaped (r);
    } else if ((len = name_length (r->at)) > 0) {
        add_word (&r->shell->reads, r, r->at, len);
        r->at += len;
    } else if (*r->at && strchr ("#?$!*@-0123456789", *r->at)) {
        r->at++;
    }
}

/* "{name}" as argv templates have it. */
static void read_brace (struct reading *r)
{
    const char *name = r->at + 1;
    size_t len = 0;

    if (r->at > r->text && (r->at[-1] == '$' || r->at[-1] == '{'))
        return;
    do
        len += name_length (name + len);
    while (len > 0 && name[len] == '.' && ++len);
    if (len == 0 || name[len] != '}')
        return;
    if (name[len + 1] == '<' || name[len + 1] == '>')
        add_set (r, name, len); /* the shell puts a descriptor there */
    else
        add_word (&r->shell->braces, r, name, len);
}

/* --- variables that are set --- */

/* A word of code: its name may be set, or it says that names behind it are. */
static void read_word (struct reading *r)
{
    static const char *const setters[] = {
        "read",    "local",  "declare", "typeset", "export",  "readonly",
        "mapfile", "select", "for",     "let",     "getopts", "readarray",
        "coproc",  "unset",  "wait",    NULL,
    };
    static const char *const anything[] = { "eval",  "source", "module", "ml",
                                            "conda", "spack",  "alias",  NULL };
    bool starts = at_word_start (r);
    size_t len = name_length (r->at);
    char after = r->at[len];

    if (len == 0) {
        r->at++;
        return;
    }
    if (starts
        && (after == '=' || after == '[' || r->setting
            || (after == '+' && r->at[len + 1] == '=')))
        add_set (r, r->at, len);
    if (starts && is_one_of (r->at, len, setters))
        r->setting = true;
    if (starts && is_one_of (r->at, len, anything))
        r->unsure = true;
    /* the rest of "a-b" and "a.b" is of the same word */
    r->at += len;
}

/* "[[ -v name ]]" */
static void read_test (struct reading *r)
{
    const char *name = r->at + 2;

    if (strncmp (r->at, "-v", 2) != 0 || !isspace ((unsigned char)*name))
        return;
    name += strspn (name, " \t");
    if (name_length (name) > 0)
        add_set (r, name, name_length (name));
}

/* ". file": what that sets is not known. */
static void read_dot (struct reading *r)
{
    const char *before = r->at;

    while (before > r->line_start && strchr (" \t", before[-1]))
        before--;
    if ((before == r->line_start || strchr (";&|({", before[-1]))
        && strchr (" \t", r->at[1]))
        r->unsure = true;
}

/* --- here-documents --- */

/* After "<<": the word that ends it. */
static void begin_document (struct reading *r)
{
    struct document d = { .tabs = *r->at == '-' };
    char quote = '\0';
    size_t len;

    r->at += d.tabs;
    r->at += strspn (r->at, " \t");
    d.literal = *r->at == '\\' || *r->at == '\'' || *r->at == '"';
    if (*r->at == '\'' || *r->at == '"')
        quote = *r->at;
    r->at += d.literal;
    len = quote ? strcspn (r->at, "'\"\n") : strcspn (r->at, " \t\n;&|<>()");
    if (len == 0 || (quote && r->at[len] != quote)
        || r->n_documents == DOCUMENTS_MAX) {
        r->unsure = true;
        return;
    }
    d.end = xstrndup (r->at, len);
    r->documents[r->n_documents++] = d;
    r->at += len + (quote != '\0');
}

static void step (struct reading *r);

/* Is 'at' the line that ends it? */
static bool is_end (const struct document *d, const char *at)
{
    size_t len = strlen (d->end);

    at += d->tabs ? strspn (at, "\t") : 0;
    return strncmp (at, d->end, len) == 0
           && (at[len] == '\n' || at[len] == '\0');
}

static void read_document (struct reading *r, const struct document *d)
{
    int depth = r->depth;

    enter (r, DOCUMENT);
    while (*r->at && !r->unsure && !is_end (d, r->at)) {
        const char *line = r->line_start;

        if (d->literal) {
            r->at += strcspn (r->at, "\n");
            r->at += *r->at == '\n';
            next_line (r);
        }
        while (!d->literal && *r->at && r->line_start == line && !r->unsure)
            step (r);
    }
    r->unsure = r->unsure || !*r->at || r->depth != depth + 1;
    r->depth = depth;
    if (!r->unsure)
        r->at += strcspn (r->at, "\n");
}

/* At the end of a line of code: the documents that it began. */
static void read_documents (struct reading *r)
{
    struct document documents[DOCUMENTS_MAX];
    size_t n = r->n_documents;

    memcpy (documents, r->documents, sizeof (documents));
    r->n_documents = 0;
    for (size_t i = 0; i < n; i++) {
        if (!r->unsure)
            read_document (r, &documents[i]);
        if (!r->unsure && *r->at == '\n') {
            r->at++;
            next_line (r);
        }
        free (documents[i].end);
    }
}

/* --- reading on --- */

static void end_line (struct reading *r)
{
    r->at++;
    next_line (r);
    if (mode_of (r) == CODE && r->n_documents > 0)
        read_documents (r);
}

static void step_code (struct reading *r)
{
    char c = *r->at;

    if (c == '#' && (r->at == r->text || strchr (" \t\n;&|(", r->at[-1]))) {
        r->at += strcspn (r->at, "\n");
    } else if (c == '\'') {
        r->at++;
        skip_to (r, '\'');
    } else if (c == '"') {
        r->at++;
        enter (r, QUOTED);
    } else if (c == '(' && r->at[1] == '(') {
        r->at += 2;
        enter (r, ARITHMETIC);
    } else if (c == '(') {
        r->at++;
        enter (r, CODE);
    } else if (c == ')') {
        r->at++;
        leave (r);
    } else if (strncmp (r->at, "<<<", 3) == 0) {
        r->at += 3;
    } else if (strncmp (r->at, "<<", 2) == 0) {
        r->at += 2;
        begin_document (r);
    } else {
        if (c == '{')
            read_brace (r);
        if (c == '-' && at_word_start (r))
            read_test (r);
        if (c == '.')
            read_dot (r);
        read_word (r);
    }
}

static void step_quoted (struct reading *r)
{
    size_t len = name_length (r->at);

    if (*r->at == '"') {
        r->at++;
        leave (r);
        return;
    }
    if (*r->at == '{' && r->at[-1] == '"')
        read_brace (r);
    if (len > 0 && r->at[-1] == '"' && (r->setting || r->at[len] == '='))
        add_set (r, r->at, len);
    r->at += len > 0 ? len : 1;
}

static void step_arithmetic (struct reading *r)
{
    size_t len = name_length (r->at);

    bool inner = mode_of (r) == PARENTHESIS;

    if (*r->at == ')' && (inner || r->at[1] == ')')) {
        r->at += inner ? 1 : 2;
        leave (r);
        return;
    }
    if (*r->at == '(')
        enter (r, PARENTHESIS);
    if (len > 0)
        add_set (r, r->at, len);
    r->at += len > 0 ? len : 1;
}

static void step (struct reading *r)
{
    if (*r->at == '\n') {
        end_line (r);
    } else if (*r->at == '\\' && r->at[1] == '\n') {
        bool setting = r->setting;

        r->at += 2;
        next_line (r);
        r->setting = setting;
    } else if (*r->at == '\\') {
        r->at += 1 + (r->at[1] != '\0');
    } else if (*r->at == '$') {
        read_dollar (r);
    } else if (mode_of (r) == CODE) {
        step_code (r);
    } else if (mode_of (r) == QUOTED) {
        step_quoted (r);
    } else if (mode_of (r) == ARITHMETIC || mode_of (r) == PARENTHESIS) {
        step_arithmetic (r);
    } else {
        r->at++;
    }
}

bool shell_text_read (struct shell_text *shell, const char *text)
{
    struct reading r = {
        .shell = shell, .text = text, .at = text, .line_start = text
    };

    while (*r.at && !r.unsure)
        step (&r);
    if (r.depth > 0 || r.n_documents > 0)
        r.unsure = true;
    for (size_t i = 0; i < r.n_documents; i++)
        free (r.documents[i].end);
    return !r.unsure;
}

static void release_words (struct shell_words *words)
{
    for (size_t i = 0; i < words->n; i++)
        free (words->v[i].name);
    free (words->v);
    *words = (struct shell_words){ 0 };
}

void shell_text_release (struct shell_text *shell)
{
    release_words (&shell->reads);
    release_words (&shell->braces);
    strvec_release (&shell->set);
}
