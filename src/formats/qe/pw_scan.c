/* SPDX-License-Identifier: BSD-3-Clause */
/* pw_scan.c - one's way in an input of pw.x */
#include "base/base.h"

#include "formats/qe/pw_scan.h"

struct scan {
    const char *text;
    size_t len;
    size_t at;
    size_t line;
    bool inside; /* a namelist */
    /* the word seen last, which an '=' would make a key */
    char word[PW_WORD_SIZE];
    size_t word_end;
    size_t word_line;
};

static int peek (const struct scan *s)
{
    return s->at < s->len ? (unsigned char)s->text[s->at] : '\n';
}

static void skip_to_end_of_line (struct scan *s)
{
    while (s->at < s->len && s->text[s->at] != '\n')
        s->at++;
}

static void skip_blanks (struct scan *s)
{
    while (s->at < s->len && strchr (" \t\r,", s->text[s->at]))
        s->at++;
}

/* Behind the next 'end' of this line, or to the end of the line: neither quoted
 * text nor the "(1,2)" of "celldm(1)" goes on in the next.
 */
static void skip_past (struct scan *s, char end)
{
    while (s->at < s->len && s->text[s->at] != end && peek (s) != '\n')
        s->at++;
    if (s->at < s->len && s->text[s->at] == end)
        s->at++;
}

/* Letters, digits and what else words of an input are made of. */
static void take_word (struct scan *s)
{
    size_t n = 0;

    while (isalnum (peek (s)) || strchr ("_-+.%", peek (s))) {
        if (n < PW_WORD_SIZE - 1)
            s->word[n++] = (char)tolower (peek (s));
        s->at++;
    }
    s->word[n] = '\0';
    s->word_end = s->at;
    s->word_line = s->line;
}

static int tell (const struct scan *s, enum pw_item item, pw_each_item *each,
                 void *arg, struct error *err)
{
    return each (item, s->word, s->word_line, s->word_end, arg, err);
}

/* One token of a namelist. */
static int scan_inside (struct scan *s, pw_each_item *each, void *arg,
                        struct error *err)
{
    int c = peek (s);
    int rc = 0;

    if (c == '!') {
        skip_to_end_of_line (s);
    } else if (c == '\'' || c == '"') {
        s->at++;
        skip_past (s, (char)c);
    } else if (c == '(') {
        skip_past (s, ')');
    } else if (c == '/' || c == '&') { /* "/" and "&end" */
        s->inside = false;
        skip_to_end_of_line (s);
    } else if (c == '=') {
        s->at++;
        if (s->word[0] != '\0')
            rc = tell (s, PW_KEY, each, arg, err);
        s->word[0] = '\0';
    } else if (isalnum (c) || c == '_') {
        take_word (s);
    } else {
        s->at++;
    }
    return rc;
}

/* One line outside namelists, or the heading of one. */
static int scan_outside (struct scan *s, pw_each_item *each, void *arg,
                         struct error *err)
{
    bool namelist = peek (s) == '&';
    int rc = 0;

    if (namelist)
        s->at++;
    take_word (s);
    if (s->word[0] != '\0')
        rc = tell (s, namelist ? PW_NAMELIST : PW_CARD, each, arg, err);
    s->word[0] = '\0';
    if (namelist)
        s->inside = true;
    else
        skip_to_end_of_line (s);
    return rc;
}

int pw_scan (const char *text, size_t len, pw_each_item *each, void *arg,
             struct error *err)
{
    struct scan s = { .text = text, .len = len, .line = 1 };
    int rc = 0;

    while (rc == 0 && (skip_blanks (&s), s.at < s.len)) {
        if (text[s.at] == '\n') {
            s.at++;
            s.line++;
        } else {
            rc = s.inside ? scan_inside (&s, each, arg, err)
                          : scan_outside (&s, each, arg, err);
        }
    }
    return rc;
}
