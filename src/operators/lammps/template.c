/* SPDX-License-Identifier: BSD-3-Clause */
/* template.c - the user's LAMMPS lines, which follow those of Fanfold */
#include "base/base.h"

#include "base/json.h"
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

/* Are the words the elements, each once? */
static bool are_all (const struct strvec *words, const struct json *elements)
{
    for (size_t i = 0; i < words->n; i++) {
        if (!json_array_has_string (elements, words->v[i]))
            return false;
        for (size_t k = 0; k < i; k++) {
            if (strcmp (words->v[k], words->v[i]) == 0)
                return false;
        }
    }
    return true;
}

int lammps_check_types (const char *line, const struct json *elements,
                        const char *instead, struct error *err)
{
    size_t n = json_count (elements), first = 0;
    _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;
    _cleanup_ (strvec_release) struct strvec types = STRVEC_INIT;
    bool same = true;
    int rc = 0;

    strvec_split (&words, line, " \t\r\n");
    first = words.n > n ? words.n - n : 0;
    for (size_t i = first; i < words.n; i++) {
        strvec_push (&types, words.v[i]);
        same = same
               && strcmp (words.v[i],
                          json_as_string (json_at (elements, i - first)))
                      == 0;
    }
    if (n > 1 && types.n == n && !same && are_all (&types, elements))
        rc = error_set (err,
                        "type 1 is %s here, and atoms of type 1 are %s, as "
                        "elements says; write %s in place of the symbols",
                        types.v[0], json_as_string (json_at (elements, 0)),
                        instead);
    return rc;
}

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
    _cleanup_ (strbuf_release) struct strbuf both = STRBUF_INIT;
    size_t len;

    for (; scan->line < line; scan->at++) /* it is there: 'key' is on it */
        scan->line += *scan->at == '\n';
    if (strcmp (key, "variable") != 0)
        return scan->each (key, line, scan->arg, err);
    strbuf_add_str (&both, "variable ");
    key = second_word (scan->at, &len);
    strbuf_add (&both, key, len);
    return scan->each (both.buf, line, scan->arg, err);
}

int lammps_scan_lines (const char *text, size_t len, template_each_key *each,
                       void *arg, struct error *err)
{
    struct scan scan = { text, 1, each, arg };

    return template_first_words (text, len, tell, &scan, err);
}
