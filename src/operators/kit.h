/* SPDX-License-Identifier: BSD-3-Clause */
/* kit.h - a simulation code as tables
 *
 * What is particular to a code is described: how its program ends, and which
 * keys of the user's template Fanfold completes.  What is done with that is
 * written once: code_run.h runs a program, label/ makes labels with it.  A kit
 * puts these tables together with the few functions that only the code's own
 * files need (label/label_kit.h).  ADDING-ONE.md tells how one is added.
 */
#ifndef OPERATORS_KIT_H
#define OPERATORS_KIT_H

/* --- how a program ends --- */

enum ending {
    ENDING_DONE,        /* as it should */
    ENDING_UNKNOWN,     /* in no way that the table knows */
    ENDING_SILENT,      /* before its first words: starting it failed */
    ENDING_PASSING,     /* something around it failed: another try may help */
    ENDING_KILLED,      /* by SIGKILL, without a word */
    ENDING_CRASHED,     /* by another signal, without a word */
    ENDING_UNCONVERGED, /* the self-consistency loop gave up */
    ENDING_DIVERGED,    /* the atoms went where no simulation can follow */
    ENDING_MISTAKE,     /* anything that would be so again */
};

/* A row holds for a line with the words in it. */
struct code_ending {
    const char *words; /* NULL terminates a table */
    enum ending ending;
    const char *message; /* for people, '#' standing for the first whole number
                            behind the words; NULL: the line itself */
    int more;            /* so many lines behind it belong to the message */
};

struct code {
    const char *name;        /* messages begin with it: "pw.x" */
    const char *first_words; /* it prints them as soon as it runs */
    const char *last_words;  /* it prints them when it has done its work, be it
                                good or not; NULL: the exit status says it */
    const char *begins; /* a line that tells of an error begins so; NULL: any
                           may */
    bool (*tells) (const char *line, size_t len);    /* may the line tell of an
                                                        error?  NULL: any may */
    const char *(*last_error) (const char *printed); /* where what tells of the
                                                        last error begins; NULL:
                                                        with all of it */
    const char *also;  /* a line behind it that begins so belongs to the
                          message; NULL: none does */
    const char *place; /* the last line before it that begins so belongs to the
                          message, which it follows; NULL: none does */
    const char *const *steps; /* lines that begin so, behind blanks, tell of a
                                 step of the self-consistency loop: what an
                                 UNCONVERGED row says before one was overcome.
                                 NULL-terminated; NULL: every row holds */
    const char *trimmed; /* these characters are taken off both ends of a quoted
                            line; NULL: blanks */
    const struct code_ending *endings;
};

/* How did it end?  'printed' is the end of what it printed; 'whole': nothing
 * came before that.  Lines are asked in their order, and rows in theirs.
 * 'message' becomes what a row says; without a row, UNKNOWN or SILENT, nothing
 * is added.
 */
enum ending code_judge (const struct code *code, const char *printed,
                        bool whole, struct strbuf *message);

/* --- the user's template --- */

/* A key that Fanfold completes, so that no template may have it. */
struct template_key {
    const char *key;     /* as the scanner of the kit tells it, a pattern of
                            fnmatch(3); NULL terminates a table */
    const char *instead; /* "write pseudo_dir of the stage"; NULL: "remove it",
                            since it is of the frame */
};

/* Told of every key of a template, with its line, from 1.  Not 0 ends the scan
 * with that.
 */
typedef int template_each_key (const char *key, size_t line, void *arg,
                               struct error *err);

/* Calls 'each' for every key, in order; returns what that returned, or 0. */
typedef int template_scanner (const char *text, size_t len,
                              template_each_key *each, void *arg,
                              struct error *err);

/* Has the template none of the 'keys'?  The error names file, line and key. */
int template_check_keys (template_scanner *scan,
                         const struct template_key *keys, const char *text,
                         size_t len, const char *name, struct error *err);

/* The same, of templates that are completed for every 'unit', not frame. */
int template_check_keys_of (const char *unit, template_scanner *scan,
                            const struct template_key *keys, const char *text,
                            size_t len, const char *name, struct error *err);

/* The word of 'known', which has blanks between them, that 'used' is at most so
 * many letters off, when it is none of them; NULL: there is none, or 'used' has
 * fewer than 'least' letters.  Caller frees.
 */
char *template_meant (const char *used, const char *known, size_t least,
                      size_t letters);

/* Append a line "NAME:LINE: TEXT" about a template, without a line where it is
 * 0.  The text is "what; what to do".
 */
void template_doubt (struct strbuf *says, const char *name, size_t line,
                     const char *fmt, ...) PRINTF_LIKE (4, 5);

/* The scanner for templates of lines that each begin with their key: the first
 * word of each, up to a blank or '='.  What follows '#', '!' or "//" is a
 * comment.
 */
template_scanner template_first_words;

#endif /* !OPERATORS_KIT_H */
