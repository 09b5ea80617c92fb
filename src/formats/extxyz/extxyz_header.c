/* SPDX-License-Identifier: BSD-3-Clause */
/* extxyz_header.c - the key=value line of an extended XYZ frame */
#include "base/base.h"

#include <strings.h>

#include "formats/extxyz/extxyz_header.h"
#include "formats/extxyz/extxyz_labels.h"
#include "formats/frame.h"
#include "formats/frame_reader.h"
#include "formats/number.h"

/* More columns than this are no atoms of ours. */
enum { MAX_COLUMNS = 1000 };

/* A piece of the line. */
struct span {
    const char *at;
    size_t len;
};

/* What a label is taken from: the best of what there is. */
struct source {
    int rank; /* 0: there is none */
    struct span name;
    struct span value; /* of an entry */
};

struct header {
    const struct extxyz_reading *reading;
    struct frame *frame;
    struct extxyz_columns *columns;
    struct strbuf info;
    struct source labels[EXTXYZ_LABELS];
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

/* Commas separate as spaces do, and so do the brackets of a matrix. */
static bool is_separator (char c)
{
    return is_space (c) || c == ',' || c == '[' || c == ']';
}

static bool take_word (struct span *text, struct span *word)
{
    const char *at = text->at, *end = at + text->len;

    while (at < end && is_separator (*at))
        at++;
    word->at = at;
    while (at < end && !is_separator (*at))
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
    /* Programs differ in whether the rows of a matrix are vectors. */
    if (memchr (value.at, '[', value.len)
        || read_numbers (value, header->frame->cell, 9) != 9)
        return error_set (err, "Lattice: expected 9 numbers in one list");
    header->has_lattice = true;
    return 0;
}

/* By the name that it has in the file. */
static int label_error (const struct header *header, enum extxyz_label label,
                        const char *expected, struct error *err)
{
    const struct span *name = &header->labels[label].name;

    return error_set (err, "%.*s: expected %s", (int)name->len, name->at,
                      expected);
}

static int read_energy (struct header *header, struct span value,
                        struct error *err)
{
    if (read_numbers (value, &header->frame->energy, 1) != 1)
        return label_error (header, EXTXYZ_ENERGY, "a number", err);
    header->frame->has_energy = true;
    return 0;
}

static int read_virial (struct header *header, struct span value,
                        struct error *err)
{
    if (read_numbers (value, header->frame->virial, 9) != 9)
        return label_error (header, EXTXYZ_VIRIAL, "9 numbers", err);
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
        return label_error (header, EXTXYZ_STRESS, "9 or 6 numbers", err);
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
            return error_set (err, "pbc: expected three of T and F");
        header->frame->periodic[n] = memchr ("Tt1", *word.at, 3) != NULL;
    }
    if (n == 1) /* one for all */
        header->frame->periodic[1] = header->frame->periodic[2] =
            header->frame->periodic[0];
    if ((n != 3 && n != 1) || take_word (&value, &word))
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

static void leave_out_column (const struct header *header, struct span name)
{
    const struct extxyz_reading *reading = header->reading;

    if (reading && reading->notes)
        frame_note (reading->notes, "the column '%.*s' is left out",
                    (int)name.len, name.at);
}

/* Do they say the same?  Columns have no text here. */
static bool is_same (struct span a, struct span b)
{
    return a.len > 0 && a.len == b.len && memcmp (a.at, b.at, a.len) == 0;
}

/* Take what is named so as the label, unless something better was. */
static bool take_source (struct header *header, enum extxyz_label label,
                         struct source source)
{
    struct source *best = &header->labels[label];
    const struct extxyz_reading *reading = header->reading;
    const struct source *better, *worse;

    if (best->rank == 0) {
        *best = source;
        return true;
    }
    better = source.rank >= best->rank ? &source : best;
    worse = better == best ? &source : best;
    if (reading && reading->notes && !is_same (better->value, worse->value))
        frame_note (reading->notes,
                    "%s: '%.*s' is taken, '%.*s' is left out; say --%s-key for "
                    "another",
                    extxyz_label_name (label), (int)better->name.len,
                    better->name.at, (int)worse->name.len, worse->name.at,
                    label == EXTXYZ_FORCES ? "force"
                                           : extxyz_label_name (label));
    if (better == best)
        return false;
    *best = source;
    return true;
}

/* Note where forces start. */
static int note_forces (struct header *header, struct span name, char type,
                        int64_t n, int rank, struct error *err)
{
    const struct extxyz_labels *labels =
        header->reading ? header->reading->labels : NULL;
    struct source source = { rank, name, { NULL, 0 } };
    int before = header->labels[EXTXYZ_FORCES].rank;

    if (type != 'R' || n != 3 || rank == before
        || (before > 0 && !(labels && labels->of_anybody)))
        return error_set (err, "Properties: expected %.*s:R:3 once",
                          (int)name.len, name.at);
    if (take_source (header, EXTXYZ_FORCES, source))
        header->columns->forces = header->columns->n;
    return 0;
}

/* Note where a property we know starts; each only once. */
static int note_column (struct header *header, struct span name, char type,
                        int64_t n, struct error *err)
{
    static const struct {
        const char *name;
        char type;
        int n;
        size_t column;
    } known[] = {
        { "species", 'S', 1, offsetof (struct extxyz_columns, species) },
        { "pos", 'R', 3, offsetof (struct extxyz_columns, positions) },
        { "Z", 'I', 1, offsetof (struct extxyz_columns, numbers) },
        { "numbers", 'I', 1, offsetof (struct extxyz_columns, numbers) },
    };
    struct extxyz_columns *columns = header->columns;
    int rank =
        extxyz_label_rank (header->reading ? header->reading->labels : NULL,
                           EXTXYZ_FORCES, name.at, name.len);

    if (rank > 0)
        return note_forces (header, name, type, n, rank, err);
    for (size_t i = 0; i < ARRAY_SIZE (known); i++) {
        int *column = (int *)((char *)columns + known[i].column);

        if (!span_is (name, known[i].name))
            continue;
        if (type != known[i].type || n != known[i].n || *column >= 0)
            return error_set (err, "Properties: expected %s:%c:%d once",
                              known[i].name, known[i].type, known[i].n);
        *column = columns->n;
        return 0;
    }
    leave_out_column (header, name);
    return 0;
}

static int read_properties (struct header *header, struct span value,
                            struct error *err)
{
    struct extxyz_columns *columns = header->columns;

    *columns = (struct extxyz_columns){ 0, -1, -1, -1, -1 };
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
        if (note_column (header, name, *type.at, n, err) < 0)
            return -1;
        columns->n += (int)n;
    }
    header->has_properties = true;
    if ((columns->species < 0 && columns->numbers < 0)
        || columns->positions < 0)
        return error_set (err,
                          "Properties: species:S:1 and pos:R:3 are needed");
    if (columns->species >= 0)
        columns->numbers = -1;
    return 0;
}

/* What we have no use for travels on. */
static void keep_entry (struct header *header, struct span entry)
{
    if (header->info.len > 0)
        strbuf_add_char (&header->info, ' ');
    strbuf_add (&header->info, entry.at, entry.len);
}

/* Programs take Lattice, Properties and pbc in any case. */
static bool is_key (struct span span, const char *key)
{
    return span.len == strlen (key)
           && strncasecmp (span.at, key, span.len) == 0;
}

/* Is it a label?  Those that are not chosen do not travel on: they would
 * contradict what is.
 */
static bool take_label (struct header *header, struct span key,
                        struct span value)
{
    const struct extxyz_labels *labels =
        header->reading ? header->reading->labels : NULL;

    for (int label = 0; label < EXTXYZ_LABELS; label++) {
        int rank;

        if (label == EXTXYZ_FORCES)
            continue;
        rank = extxyz_label_rank (labels, label, key.at, key.len);
        if (rank == 0)
            continue;
        take_source (header, label, (struct source){ rank, key, value });
        return true;
    }
    return labels && extxyz_is_label (key.at, key.len);
}

static int read_entry (struct header *header, struct span entry,
                       struct error *err)
{
    static const struct {
        const char *key;
        int (*read) (struct header *, struct span, struct error *);
    } keys[] = {
        { "Lattice", read_lattice },
        { "Properties", read_properties },
        { "pbc", read_pbc },
    };
    const char *equals = memchr (entry.at, '=', entry.len);
    struct span key = entry, value = { NULL, 0 };

    if (equals) {
        key.len = (size_t)(equals - entry.at);
        value.at = equals + 1;
        value.len = entry.len - key.len - 1;
        value = without_quotes (value);
    }
    for (size_t i = 0; equals && i < ARRAY_SIZE (keys); i++) {
        if (is_key (key, keys[i].key))
            return keys[i].read (header, value, err);
    }
    if (!equals || !take_label (header, key, value))
        keep_entry (header, entry);
    return 0;
}

static int read_labels (struct header *header, struct error *err)
{
    static int (*const read[EXTXYZ_LABELS]) (struct header *, struct span,
                                             struct error *) = {
        [EXTXYZ_ENERGY] = read_energy,
        [EXTXYZ_VIRIAL] = read_virial,
        [EXTXYZ_STRESS] = read_stress,
    };

    for (int label = 0; label < EXTXYZ_LABELS; label++) {
        const struct source *source = &header->labels[label];

        if (source->rank > 0 && read[label]
            && read[label](header, source->value, err) < 0)
            return -1;
    }
    return 0;
}

/* Virial and stress say the same: is the stress what counts?  Without a volume
 * it says nothing.
 */
static bool stress_counts (const struct header *header, double volume)
{
    const struct source *stress = &header->labels[EXTXYZ_STRESS];
    const struct source *virial = &header->labels[EXTXYZ_VIRIAL];
    bool counts =
        header->has_stress && volume > 0
        && (!header->frame->has_virial || stress->rank > virial->rank);
    const struct source *taken = counts ? stress : virial;
    const struct source *left = counts ? virial : stress;

    if (left->rank > 0 && taken->rank > 0 && header->reading
        && header->reading->notes)
        frame_note (header->reading->notes,
                    "'%.*s' is taken, '%.*s' is left out; --virial-key and "
                    "--stress-key choose",
                    (int)taken->name.len, taken->name.at, (int)left->name.len,
                    left->name.at);
    return counts;
}

/* What follows from several keys together. */
static void finish (struct header *header)
{
    struct frame *frame = header->frame;
    double volume = fabs (frame_volume (frame));

    if (!header->has_properties)
        *header->columns = (struct extxyz_columns){ 4, 0, -1, 1, -1 };
    for (int i = 0; i < 3 && !header->has_pbc; i++)
        frame->periodic[i] = header->has_lattice;
    if (stress_counts (header, volume)) {
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

int extxyz_header_parse (const char *text, size_t len,
                         const struct extxyz_reading *reading,
                         struct frame *frame, struct extxyz_columns *columns,
                         struct error *err)
{
    struct header header = { .reading = reading,
                             .frame = frame,
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
    else if ((rc = read_labels (&header, err)) == 0)
        finish (&header);
done:
    strbuf_release (&header.info);
    return rc;
}
