/* SPDX-License-Identifier: BSD-3-Clause */
/* extxyz_header.c - the key=value line of an extended XYZ frame */
#include "config.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/strbuf.h"
#include "formats/extxyz/extxyz_header.h"
#include "formats/frame.h"
#include "formats/number.h"

/* More columns than this are no atoms of ours. */
enum { MAX_COLUMNS = 1000 };

/* A piece of the line. */
struct span {
    const char *at;
    size_t len;
};

struct header {
    struct frame *frame;
    struct extxyz_columns *columns;
    struct strbuf info;
    double stress[9];
    bool has_lattice;
    bool has_properties;
    bool has_pbc;
    bool has_stress;
};

static bool is_space (char c)
{
    return c == ' ' || c == '\t';
}

static bool span_is (struct span span, const char *text)
{
    return span.len == strlen (text) && memcmp (span.at, text, span.len) == 0;
}

/* Where the quoted text that starts at 'at' ends (behind its last quote), or
 * NULL.
 */
static const char *skip_quoted (const char *at, const char *end)
{
    char quote = *at++;

    for (; at < end; at++) {
        if (*at == '\\' && at + 1 < end)
            at++;
        else if (*at == quote)
            return at + 1;
    }
    return NULL;
}

/* The same for brackets, which may be nested. */
static const char *skip_brackets (const char *at, const char *end)
{
    int depth = 0;

    for (; at < end; at++) {
        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
        if (depth == 0)
            return at + 1;
    }
    return NULL;
}

static const char *skip_value (const char *at, const char *end)
{
    if (at < end && (*at == '"' || *at == '\''))
        return skip_quoted (at, end);
    if (at < end && (*at == '{' || *at == '['))
        return skip_brackets (at, end);
    while (at < end && !is_space (*at))
        at++;
    return at;
}

/* Take one key, key=value, key="some values" or key={some values} off the
 * line.  1, 0 when there is none left, -1 when a quote or bracket is open.
 */
static int take_entry (struct span *line, struct span *entry)
{
    const char *at = line->at, *end = at + line->len;

    while (at < end && is_space (*at))
        at++;
    entry->at = at;
    while (at < end && !is_space (*at) && *at != '=')
        at++;
    if (at < end && *at == '=')
        at = skip_value (at + 1, end);
    if (!at)
        return -1;
    entry->len = (size_t)(at - entry->at);
    *line = (struct span){ at, (size_t)(end - at) };
    return entry->len > 0;
}

static struct span without_quotes (struct span value)
{
    if (value.len >= 2 && strchr ("\"'{[", *value.at))
        return (struct span){ value.at + 1, value.len - 2 };
    return value;
}

/* Take one word; commas separate as spaces do. */
static bool take_word (struct span *text, struct span *word)
{
    const char *at = text->at, *end = at + text->len;

    while (at < end && (is_space (*at) || *at == ','))
        at++;
    word->at = at;
    while (at < end && !is_space (*at) && *at != ',')
        at++;
    word->len = (size_t)(at - word->at);
    *text = (struct span){ at, (size_t)(end - at) };
    return word->len > 0;
}

/* Read up to 'max' numbers; returns how many there are, or -1 when there are
 * more or something else.
 */
static int read_numbers (struct span text, double *values, int max)
{
    struct span word;
    int n = 0;

    for (; take_word (&text, &word); n++) {
        const char *end = word.at + word.len;

        if (n == max || number_read (word.at, end, &values[n]) != end)
            return -1;
    }
    return n;
}

static int read_lattice (struct header *header, struct span value,
                         struct error *err)
{
    if (read_numbers (value, header->frame->cell, 9) != 9)
        return error_set (err, "Lattice: expected 9 numbers");
    header->has_lattice = true;
    return 0;
}

static int read_energy (struct header *header, struct span value,
                        struct error *err)
{
    if (read_numbers (value, &header->frame->energy, 1) != 1)
        return error_set (err, "energy: expected a number");
    header->frame->has_energy = true;
    return 0;
}

static int read_virial (struct header *header, struct span value,
                        struct error *err)
{
    if (read_numbers (value, header->frame->virial, 9) != 9)
        return error_set (err, "virial: expected 9 numbers");
    header->frame->has_virial = true;
    return 0;
}

static int read_stress (struct header *header, struct span value,
                        struct error *err)
{
    static const int voigt[9] = { 0, 5, 4, 5, 1, 3, 4, 3, 2 };
    double v[9];
    int n = read_numbers (value, v, 9);

    if (n != 9 && n != 6)
        return error_set (err, "stress: expected 9 or 6 numbers");
    for (int i = 0; i < 9; i++)
        header->stress[i] = n == 9 ? v[i] : v[voigt[i]];
    header->has_stress = true;
    return 0;
}

static int read_pbc (struct header *header, struct span value,
                     struct error *err)
{
    struct span word;
    int n = 0;

    for (; n < 3 && take_word (&value, &word); n++) {
        if (!memchr ("TtFf10", *word.at, 6))
            break;
        header->frame->periodic[n] = memchr ("Tt1", *word.at, 3) != NULL;
    }
    if (n != 3 || take_word (&value, &word))
        return error_set (err, "pbc: expected three of T and F");
    header->has_pbc = true;
    return 0;
}

/* Take one field of "species:S:1:pos:R:3". */
static struct span take_field (struct span *text)
{
    const char *colon = memchr (text->at, ':', text->len);
    struct span field = { text->at, text->len };

    if (colon)
        field.len = (size_t)(colon - text->at);
    text->at += field.len + (colon != NULL);
    text->len -= field.len + (colon != NULL);
    return field;
}

/* Note where a property we know starts; each only once. */
static int note_column (struct extxyz_columns *columns, struct span name,
                        char type, int64_t n, struct error *err)
{
    static const struct {
        const char *name;
        char type;
        int n;
        size_t column;
    } known[] = {
        { "species", 'S', 1, offsetof (struct extxyz_columns, species) },
        { "pos", 'R', 3, offsetof (struct extxyz_columns, positions) },
        { "forces", 'R', 3, offsetof (struct extxyz_columns, forces) },
        { "force", 'R', 3, offsetof (struct extxyz_columns, forces) },
    };

    for (size_t i = 0; i < ARRAY_SIZE (known); i++) {
        int *column = (int *)((char *)columns + known[i].column);

        if (!span_is (name, known[i].name))
            continue;
        if (type != known[i].type || n != known[i].n || *column >= 0)
            return error_set (err, "Properties: expected %s:%c:%d once",
                              known[i].name, known[i].type, known[i].n);
        *column = columns->n;
    }
    columns->n += (int)n;
    return 0;
}

static int read_properties (struct header *header, struct span value,
                            struct error *err)
{
    struct extxyz_columns *columns = header->columns;

    *columns = (struct extxyz_columns){ 0, -1, -1, -1 };
    while (value.len > 0) {
        struct span name = take_field (&value);
        struct span type = take_field (&value);
        struct span count = take_field (&value);
        const char *end = count.at + count.len;
        int64_t n;

        if (name.len == 0 || type.len != 1 || !strchr ("SRIL", *type.at)
            || integer_read (count.at, end, &n) != end || n < 1
            || n > MAX_COLUMNS - columns->n)
            return error_set (err, "Properties: expected name:type:columns "
                                   "with a type of S, R, I, L");
        if (note_column (columns, name, *type.at, n, err) < 0)
            return -1;
    }
    header->has_properties = true;
    if (columns->species < 0 || columns->positions < 0)
        return error_set (err,
                          "Properties: species:S:1 and pos:R:3 are needed");
    return 0;
}

/* What we have no use for travels on. */
static void keep_entry (struct header *header, struct span entry)
{
    if (header->info.len > 0)
        strbuf_add_char (&header->info, ' ');
    strbuf_add (&header->info, entry.at, entry.len);
}

static int read_entry (struct header *header, struct span entry,
                       struct error *err)
{
    static const struct {
        const char *key;
        int (*read) (struct header *, struct span, struct error *);
    } keys[] = {
        { "Lattice", read_lattice }, { "Properties", read_properties },
        { "energy", read_energy },   { "virial", read_virial },
        { "stress", read_stress },   { "pbc", read_pbc },
    };
    const char *equals = memchr (entry.at, '=', entry.len);
    struct span key = entry, value = { NULL, 0 };

    if (equals) {
        key.len = (size_t)(equals - entry.at);
        value.at = equals + 1;
        value.len = entry.len - key.len - 1;
    }
    for (size_t i = 0; equals && i < ARRAY_SIZE (keys); i++) {
        if (span_is (key, keys[i].key))
            return keys[i].read (header, without_quotes (value), err);
    }
    keep_entry (header, entry);
    return 0;
}

/* What follows from several keys together. */
static void finish (struct header *header)
{
    struct frame *frame = header->frame;
    double volume = fabs (frame_volume (frame));

    if (!header->has_properties)
        *header->columns = (struct extxyz_columns){ 4, 0, 1, -1 };
    for (int i = 0; i < 3 && !header->has_pbc; i++)
        frame->periodic[i] = header->has_lattice;
    if (header->has_stress && !frame->has_virial && volume > 0) {
        for (int i = 0; i < 9; i++)
            frame->virial[i] = -header->stress[i] * volume;
        frame->has_virial = true;
    }
    if (header->info.len > 0)
        frame->info = strbuf_detach (&header->info);
}

/* They would not survive being written as part of a line. */
static bool has_control_character (const char *text, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        if ((unsigned char)text[i] < ' ' && text[i] != '\t')
            return true;
    }
    return false;
}

int extxyz_header_parse (const char *text, size_t len, struct frame *frame,
                         struct extxyz_columns *columns, struct error *err)
{
    struct header header = { .frame = frame,
                             .columns = columns,
                             .info = STRBUF_INIT };
    struct span line = { text, len }, entry;
    int rc;

    while ((rc = take_entry (&line, &entry)) == 1) {
        if ((rc = read_entry (&header, entry, err)) < 0)
            goto done;
    }
    if (rc < 0)
        error_set (err, "a quote or bracket is not closed");
    else if (has_control_character (text, len))
        rc = error_set (err, "a control character; remove it");
    else
        finish (&header);
done:
    strbuf_release (&header.info);
    return rc;
}
