/* SPDX-License-Identifier: BSD-3-Clause */
/* extxyz_frames.c - labelled frames of a periodic crystal, from extended XYZ */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "extxyz_frames.h"
#include "problem.h"

#define MAX_COLUMNS 64

/* The shortest atom line, "Si 0 0 0 0 0 0": what a count may promise. */
#define MIN_ATOM_LINE 14

/* Text being read line by line; 'line' counts from 1. */
struct cursor {
    const char *path;
    const char *next;
    const char *end;
    size_t line;
    struct problem *problem;
};

/* A piece of the text, not terminated. */
struct span {
    const char *at;
    size_t length;
};

/* Which of an atom line's words mean something to us; -1 is "none". */
struct columns {
    int count;
    int species;
    int positions;
    int forces;
};

/* What the second line of a frame says. */
struct header {
    struct frame *frame;
    struct columns columns;
    bool has_lattice;
    bool has_energy;
    bool has_pbc;
};

static int refuse (const struct cursor *cursor, const char *fmt, ...)
    __attribute__ ((format (printf, 2, 3)));

static int refuse (const struct cursor *cursor, const char *fmt, ...)
{
    char what[512];
    va_list ap;

    va_start (ap, fmt);
    vsnprintf (what, sizeof what, fmt, ap);
    va_end (ap);
    return problem_set (cursor->problem, "%s:%zu: %s", cursor->path,
                        cursor->line, what);
}

static void frame_release (struct frame *frame)
{
    free (frame->positions);
    free (frame->forces);
}

void frames_release (struct frames *frames)
{
    for (size_t i = 0; i < frames->count; i++)
        frame_release (&frames->items[i]);
    free (frames->items);
    *frames = (struct frames)FRAMES_INIT;
}

static int frames_add (struct frames *frames, const struct frame *frame)
{
    if (frames->count == frames->capacity) {
        size_t capacity = frames->capacity ? 2 * frames->capacity : 16;
        struct frame *items =
            reallocarray (frames->items, capacity, sizeof *items);

        if (!items)
            return -1;
        frames->items = items;
        frames->capacity = capacity;
    }
    frames->items[frames->count++] = *frame;
    return 0;
}

static bool is_blank (char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool span_is (struct span span, const char *text)
{
    return span.length == strlen (text)
           && memcmp (span.at, text, span.length) == 0;
}

/* The next line without its end; a carriage return counts as a blank. */
static struct span next_line (struct cursor *cursor)
{
    size_t rest = (size_t)(cursor->end - cursor->next);
    const char *newline = memchr (cursor->next, '\n', rest);
    struct span line = { cursor->next, rest };

    if (newline)
        line.length = (size_t)(newline - cursor->next);
    cursor->next += line.length + (newline ? 1 : 0);
    cursor->line++;
    return line;
}

/* Take the next word off the front of 'line'; false when there is none. */
static bool next_word (struct span *line, struct span *word)
{
    size_t begin = 0, end;

    while (begin < line->length && is_blank (line->at[begin]))
        begin++;
    end = begin;
    while (end < line->length && !is_blank (line->at[end]))
        end++;
    *word = (struct span){ line->at + begin, end - begin };
    *line = (struct span){ line->at + end, line->length - end };
    return word->length > 0;
}

/* A plain decimal number: no hexadecimal, no infinity, no nan. */
static bool span_number (struct span span, double *number)
{
    char text[64], *end;
    double parsed;

    if (span.length == 0 || span.length >= sizeof text)
        return false;
    memcpy (text, span.at, span.length);
    text[span.length] = '\0';
    if (strspn (text, "0123456789+-.eE") != span.length)
        return false;
    parsed = strtod (text, &end);
    if (*end != '\0' || !isfinite (parsed))
        return false;
    *number = parsed;
    return true;
}

static int parse_atom_count (const struct cursor *cursor, struct span line,
                             size_t *count)
{
    struct span word = { NULL, 0 }, more;
    double number = 0;

    if (!next_word (&line, &word) || next_word (&line, &more)
        || !span_number (word, &number) || number < 1
        || number != floor (number))
        return refuse (cursor, "expected the number of atoms of a frame");
    if (number > (double)(cursor->end - cursor->next) / MIN_ATOM_LINE)
        return refuse (cursor,
                       "%.0f atoms are announced but the file is too short",
                       number);
    *count = (size_t)number;
    return 0;
}

/* Take key=value, key="value" or a bare key off the front of 'line'. */
static int next_pair (const struct cursor *cursor, struct span *line,
                      struct span *key, struct span *value)
{
    const char *equals, *close;

    if (!next_word (line, key))
        return 0;
    *value = (struct span){ line->at, 0 };
    equals = memchr (key->at, '=', key->length);
    if (!equals)
        return 1;
    value->at = equals + 1;
    value->length = (size_t)(key->at + key->length - value->at);
    key->length = (size_t)(equals - key->at);
    if (value->length == 0 || *value->at != '"')
        return 1;
    value->at++;
    line->length += (size_t)(line->at - value->at);
    line->at = value->at;
    close = memchr (line->at, '"', line->length);
    if (!close)
        return refuse (cursor, "the quote of %.*s is not closed",
                       (int)key->length, key->at);
    value->length = (size_t)(close - value->at);
    line->length -= value->length + 1;
    line->at += value->length + 1;
    return 1;
}

static double determinant (const double cell[3][3])
{
    const double *a = cell[0], *b = cell[1], *c = cell[2];

    return a[0] * (b[1] * c[2] - b[2] * c[1])
           - a[1] * (b[0] * c[2] - b[2] * c[0])
           + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

static int parse_lattice (const struct cursor *cursor, struct span value,
                          struct header *header)
{
    double *cell = &header->frame->cell[0][0];
    struct span word;
    int count = 0;

    while (next_word (&value, &word)) {
        if (count == 9 || !span_number (word, &cell[count++]))
            return refuse (cursor, "Lattice must be nine numbers");
    }
    if (count != 9)
        return refuse (cursor, "Lattice must be nine numbers");
    if (!(fabs (determinant (header->frame->cell)) > 1e-6))
        return refuse (cursor, "the cell of Lattice has no volume");
    header->has_lattice = true;
    return 0;
}

static int parse_pbc (const struct cursor *cursor, struct span value,
                      struct header *header)
{
    struct span word;

    while (next_word (&value, &word)) {
        if (!span_is (word, "T") && !span_is (word, "True"))
            return refuse (cursor,
                           "pbc must be \"T T T\": this potential is for "
                           "crystals, periodic in every direction");
    }
    header->has_pbc = true;
    return 0;
}

static int parse_energy (const struct cursor *cursor, struct span value,
                         struct header *header)
{
    if (!span_number (value, &header->frame->energy_eV))
        return refuse (cursor, "energy must be a number");
    header->has_energy = true;
    return 0;
}

/* Take the next ':'-separated piece off the front of 'text'. */
static struct span next_piece (struct span *text)
{
    const char *colon = memchr (text->at, ':', text->length);
    struct span piece = *text;

    if (colon)
        piece.length = (size_t)(colon - text->at);
    text->at += piece.length + (colon ? 1 : 0);
    text->length -= piece.length + (colon ? 1 : 0);
    return piece;
}

/* Note the property's first column if it is one of ours: false if it is but
 * has the wrong shape or was there before.
 */
static bool columns_note (struct columns *columns, struct span name,
                          struct span type, int width)
{
    bool is_species = span_is (name, "species");
    bool is_positions = span_is (name, "pos");
    int *column = is_species                 ? &columns->species
                  : is_positions             ? &columns->positions
                  : span_is (name, "forces") ? &columns->forces
                                             : NULL;

    if (!column)
        return true;
    if (*column >= 0 || width != (is_species ? 1 : 3)
        || !span_is (type, is_species ? "S" : "R"))
        return false;
    *column = columns->count;
    return true;
}

static int parse_properties (const struct cursor *cursor, struct span value,
                             struct header *header)
{
    struct columns columns = { 0, -1, -1, -1 };

    while (value.length > 0) {
        struct span name = next_piece (&value);
        struct span type = next_piece (&value);
        double width = 0;

        if (!span_number (next_piece (&value), &width) || width < 1
            || width > MAX_COLUMNS - columns.count || width != floor (width))
            return refuse (cursor,
                           "Properties must be name:type:columns triplets of "
                           "at most %d columns",
                           MAX_COLUMNS);
        if (!columns_note (&columns, name, type, (int)width))
            return refuse (cursor,
                           "Properties must have species:S:1, pos:R:3 and "
                           "forces:R:3 once each");
        columns.count += (int)width;
    }
    header->columns = columns;
    return 0;
}

static int parse_pair (const struct cursor *cursor, struct span key,
                       struct span value, struct header *header)
{
    static const struct {
        const char *key;
        int (*parse) (const struct cursor *, struct span, struct header *);
    } keys[] = {
        { "Lattice", parse_lattice },
        { "Properties", parse_properties },
        { "energy", parse_energy },
        { "pbc", parse_pbc },
    };
    bool seen[] = {
        header->has_lattice,
        header->columns.count > 0,
        header->has_energy,
        header->has_pbc,
    };

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (!span_is (key, keys[i].key))
            continue;
        if (seen[i])
            return refuse (cursor, "%s is there twice", keys[i].key);
        return keys[i].parse (cursor, value, header);
    }
    return 0;
}

static int parse_header (const struct cursor *cursor, struct span line,
                         struct header *header)
{
    struct span key, value;
    int more;

    while ((more = next_pair (cursor, &line, &key, &value)) > 0) {
        if (parse_pair (cursor, key, value, header) < 0)
            return -1;
    }
    if (more < 0)
        return -1;
    if (!header->has_lattice)
        return refuse (cursor, "no Lattice=\"...\"; write the cell there");
    if (!header->has_energy)
        return refuse (cursor, "no energy=...; label the frame first");
    if (header->columns.species < 0 || header->columns.positions < 0)
        return refuse (cursor, "Properties lacks species:S:1 or pos:R:3");
    if (header->columns.forces < 0)
        return refuse (cursor,
                       "Properties lacks forces:R:3; label the frame first");
    return 0;
}

static int parse_vector (const struct cursor *cursor,
                         const struct span words[3], double vector[3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (!span_number (words[axis], &vector[axis]))
            return refuse (cursor, "'%.*s' is not a number",
                           (int)(words[axis].length % 64), words[axis].at);
    }
    return 0;
}

static int parse_atom (const struct cursor *cursor, struct span line,
                       const struct columns *columns, const char *species,
                       double position[3], double force[3])
{
    struct span words[MAX_COLUMNS + 1];
    int count = 0;

    while (count <= columns->count && next_word (&line, &words[count]))
        count++;
    if (count != columns->count)
        return refuse (
            cursor, "an atom has %d columns here, not the %s%d found",
            columns->count, count > columns->count ? "more than " : "",
            count > columns->count ? columns->count : count);
    if (!span_is (words[columns->species], species))
        return refuse (cursor,
                       "an atom of '%.*s'; this potential is for %s only",
                       (int)(words[columns->species].length % 64),
                       words[columns->species].at, species);
    if (parse_vector (cursor, words + columns->positions, position) < 0)
        return -1;
    return parse_vector (cursor, words + columns->forces, force);
}

static int parse_frame (struct cursor *cursor, const char *species,
                        struct frame *frame)
{
    struct header header = { .frame = frame, .columns = { 0, -1, -1, -1 } };

    frame->path = cursor->path;
    frame->line = cursor->line + 1;
    if (parse_atom_count (cursor, next_line (cursor), &frame->atom_count) < 0
        || parse_header (cursor, next_line (cursor), &header) < 0)
        return -1;
    frame->positions = calloc (frame->atom_count, sizeof *frame->positions);
    frame->forces = calloc (frame->atom_count, sizeof *frame->forces);
    if (!frame->positions || !frame->forces)
        return refuse (cursor, "no memory for %zu atoms", frame->atom_count);
    for (size_t i = 0; i < frame->atom_count; i++) {
        if (parse_atom (cursor, next_line (cursor), &header.columns, species,
                        frame->positions[i], frame->forces[i])
            < 0)
            return -1;
    }
    return 0;
}

/* Blank lines are fine at the end of a file, and only there. */
static bool only_blanks_left (const struct cursor *cursor)
{
    for (const char *at = cursor->next; at < cursor->end; at++) {
        if (!is_blank (*at) && *at != '\n')
            return false;
    }
    return true;
}

int frames_parse (struct frames *frames, const char *path, const char *text,
                  size_t length, const char *species, struct problem *problem)
{
    struct cursor cursor = { path, text, text + length, 0, problem };
    size_t before = frames->count;

    while (!only_blanks_left (&cursor)) {
        struct frame frame = { 0 };

        if (parse_frame (&cursor, species, &frame) < 0
            || (frames_add (frames, &frame) < 0
                && refuse (&cursor, "out of memory") < 0)) {
            frame_release (&frame);
            goto failed;
        }
    }
    if (frames->count > before)
        return 0;
    cursor.line = 1;
    refuse (&cursor, "no frame here; give a file of labelled frames");
failed:
    while (frames->count > before)
        frame_release (&frames->items[--frames->count]);
    return -1;
}

/* The whole of a stream, or NULL with errno set.  The caller frees it. */
static char *read_stream (FILE *stream, size_t *length)
{
    size_t capacity = 1 << 16, used = 0;
    char *text = malloc (capacity), *larger;

    while (text) {
        used += fread (text + used, 1, capacity - used, stream);
        if (used < capacity)
            break;
        larger = reallocarray (text, 2, capacity);
        if (!larger)
            goto failed;
        text = larger;
        capacity *= 2;
    }
    if (text && ferror (stream))
        goto failed;
    *length = used;
    return text;
failed:
    free (text);
    return NULL;
}

int frames_read (struct frames *frames, const char *path, const char *species,
                 struct problem *problem)
{
    FILE *stream = fopen (path, "r");
    char *text;
    size_t length;
    int rc;

    if (!stream)
        return problem_set (problem, "%s:1: %s", path, strerror (errno));
    text = read_stream (stream, &length);
    if (!text)
        rc = problem_set (problem, "%s:1: %s", path, strerror (errno));
    else
        rc = frames_parse (frames, path, text, length, species, problem);
    free (text);
    fclose (stream);
    return rc;
}
