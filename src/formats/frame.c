/* SPDX-License-Identifier: BSD-3-Clause */
/* frame.c - one atomic configuration, with labels when it has them */
#include "base/base.h"

#include "formats/frame.h"
#include "formats/number.h"

int frame_resize (struct frame *frame, size_t n_atoms, bool with_forces,
                  struct error *err)
{
    struct frame made = FRAME_INIT;
    const size_t vector_bytes = 3 * sizeof (*made.positions);

    made.n_atoms = n_atoms;
    made.symbols = try_calloc (n_atoms, SYMBOL_SIZE, "symbols", err);
    if (!made.symbols)
        goto failed;
    made.positions = try_calloc (n_atoms, vector_bytes, "positions", err);
    if (!made.positions)
        goto failed;
    if (with_forces) {
        made.forces = try_calloc (n_atoms, vector_bytes, "forces", err);
        if (!made.forces)
            goto failed;
    }
    *frame = made;
    return 0;
failed:
    frame_release (&made);
    return -1;
}

void frame_release (struct frame *frame)
{
    free (frame->symbols);
    free (frame->positions);
    free (frame->forces);
    free (frame->info);
    *frame = (struct frame)FRAME_INIT;
}

/* The entry after the one at 'at'; spaces within quotes do not separate. */
static const char *next_entry (const char *at)
{
    char quote = '\0';

    for (; *at && (quote || *at != ' '); at++) {
        if (quote && *at == '\\' && at[1])
            at++;
        else if (*at == quote)
            quote = '\0';
        else if (!quote && (*at == '"' || *at == '\''))
            quote = *at;
    }
    return at + strspn (at, " ");
}

bool frame_info_value (const struct frame *frame, const char *key,
                       const char **value, size_t *len)
{
    const char *at = frame->info ? frame->info : "";
    size_t key_len = strlen (key);

    for (; *at; at = next_entry (at)) {
        if (strncmp (at, key, key_len) != 0 || at[key_len] != '=')
            continue;
        *value = at + key_len + 1;
        *len = (size_t)(next_entry (at) - *value);
        while (*len > 0 && (*value)[*len - 1] == ' ')
            --*len;
        if (*len > 1 && (**value == '"' || **value == '\'')) {
            ++*value;
            *len -= 2;
        }
        return true;
    }
    return false;
}

bool frame_step (const struct frame *frame, int64_t *step)
{
    static const char *const keys[] = { "step", "Timestep" };

    for (size_t i = 0; i < ARRAY_SIZE (keys); i++) {
        const char *value;
        size_t len;
        int64_t found;

        if (frame_info_value (frame, keys[i], &value, &len)
            && integer_read (value, value + len, &found) == value + len) {
            *step = found;
            return true;
        }
    }
    return false;
}

double cell_volume (const double cell[9])
{
    const double *a = cell, *b = a + 3, *c = a + 6;

    return a[0] * (b[1] * c[2] - b[2] * c[1])
           - a[1] * (b[0] * c[2] - b[2] * c[0])
           + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

double frame_volume (const struct frame *frame)
{
    return cell_volume (frame->cell);
}

FASTEST_HERE
bool all_finite (const double *values, size_t n)
{
    double bad[4] = { 0 };

    for (size_t i = 0; i < n; i++)
        bad[i % 4] += values[i] - values[i]; /* 0, or NaN */
    return bad[0] + bad[1] + bad[2] + bad[3] == 0;
}

int frame_check_finite (const struct frame *frame, struct error *err)
{
    const struct {
        const char *name;
        const double *values; /* NULL: the frame has none */
        size_t n;
    } all[] = {
        { "cell", frame->cell, 9 },
        { "positions", frame->positions, 3 * frame->n_atoms },
        { "energy", frame->has_energy ? &frame->energy : NULL, 1 },
        { "forces", frame->forces, 3 * frame->n_atoms },
        { "virial", frame->has_virial ? frame->virial : NULL, 9 },
    };

    for (size_t i = 0; i < sizeof (all) / sizeof (*all); i++) {
        if (all[i].values && !all_finite (all[i].values, all[i].n))
            return error_set (err, "%s: a number is not finite", all[i].name);
    }
    return 0;
}

int symbol_set (char symbol[SYMBOL_SIZE], const char *text, size_t len)
{
    if (len == 0 || len >= SYMBOL_SIZE)
        return -1;
    for (size_t i = 0; i < len; i++) {
        if ((unsigned char)text[i] <= ' ')
            return -1;
    }
    memset (symbol, 0, SYMBOL_SIZE);
    memcpy (symbol, text, len);
    return 0;
}

static bool is_first_of_its_element (const struct frame *frame, size_t atom)
{
    for (size_t i = 0; i < atom; i++) {
        if (strcmp (frame->symbols[i], frame->symbols[atom]) == 0)
            return false;
    }
    return true;
}

/* Elements are few, so this is about n_atoms times as many. */
void frame_order_by_element (const struct frame *frame, size_t *order)
{
    char (*symbols)[SYMBOL_SIZE] = frame->symbols;
    size_t n = 0;

    for (size_t e = 0; n < frame->n_atoms; e++) {
        if (!is_first_of_its_element (frame, e))
            continue;
        for (size_t i = e; i < frame->n_atoms; i++) {
            if (strcmp (symbols[i], symbols[e]) == 0)
                order[n++] = i;
        }
    }
}

void frame_add_vector (const double *v, struct strbuf *out)
{
    for (int i = 0; i < 3; i++) {
        strbuf_add_char (out, ' ');
        strbuf_add_double (out, v[i]);
    }
    strbuf_add_char (out, '\n');
}
