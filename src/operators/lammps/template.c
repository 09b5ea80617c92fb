/* SPDX-License-Identifier: BSD-3-Clause */
/* template.c - the user's LAMMPS lines, which follow those of Fanfold */
#include "config.h"

#include <string.h>

#include "base/strbuf.h"
#include "operators/lammps/lammps.h"

const struct template_key lammps_keys[] = {
    { "units", NULL },
    { "atom_style", NULL },
    { "boundary", NULL },
    { "read_data", "write systems of the stage instead" },
    { "pair_style", "write pair_style of the stage instead" },
    { "pair_coeff", "write pair_coeff of the stage instead" },
    { "variable seed", NULL },
    { "variable steps", "write steps of the stage instead" },
    { 0 },
};

struct scan {
    const char *at; /* in this line */
    size_t line;
    template_each_key *each;
    void *arg;
};

/* The word behind the first one of 'line', of 'len' bytes. */
static const char *second_word (const char *line, size_t *len)
{
    const char *at = line + strspn (line, " \t");

    at += strcspn (at, " \t\r\n");
    at += strspn (at, " \t");
    *len = strcspn (at, " \t\r\n#&");
    return at;
}

static int tell (const char *key, size_t line, void *arg, struct error *err)
{
    struct scan *scan = arg;
    struct strbuf both = STRBUF_INIT;
    size_t len;
    int rc;

    for (; scan->line < line; scan->at++) /* it is there: 'key' is on it */
        scan->line += *scan->at == '\n';
    if (strcmp (key, "variable") != 0)
        return scan->each (key, line, scan->arg, err);
    strbuf_add_str (&both, "variable ");
    key = second_word (scan->at, &len);
    strbuf_add (&both, key, len);
    rc = scan->each (both.buf, line, scan->arg, err);
    strbuf_release (&both);
    return rc;
}

int lammps_scan_lines (const char *text, size_t len, template_each_key *each,
                       void *arg, struct error *err)
{
    struct scan scan = { text, 1, each, arg };

    return template_first_words (text, len, tell, &scan, err);
}
