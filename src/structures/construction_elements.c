/* SPDX-License-Identifier: BSD-3-Clause */
/* construction_elements.c - which atoms become others, and which come in */
#include "base/base.h"

#include "base/json.h"
#include "formats/element.h"
#include "structures/construction.h"

static int read_symbol (const struct construction *c, const char *text,
                        char symbol[SYMBOL_SIZE], struct error *err)
{
    if (!(element_mass (text) > 0)
        || symbol_set (symbol, text, strlen (text)) < 0)
        return error_set (err,
                          "'%.40s' is no element; write a symbol such as "
                          "Al",
                          text);
    if (json_count (c->elements) > 0
        && !json_array_has_string (c->elements, text))
        return error_set (err,
                          "%s is none of the campaign's elements; add it to "
                          "elements: of the campaign",
                          text);
    return 0;
}

int construction_read_interstitials (const struct json *v,
                                     struct construction *c, struct error *err)
{
    size_t alloc = 0;

    JSON_FOREACH (v, it) {
        struct atoms_of one = { .n = json_as_int (json_iter_value (it)) };

        if (read_symbol (c, json_iter_key (it), one.symbol, err) < 0)
            return error_prefix (err, "interstitials");
        if (one.n < 1 || one.n > INTERSTITIALS_MAX)
            return error_set (err,
                              "interstitials.%s: expected how many atoms; "
                              "write a whole number from 1 to %d",
                              one.symbol, INTERSTITIALS_MAX);
        c->interstitials = grow_array (c->interstitials, c->n_interstitials,
                                       &alloc, sizeof (*c->interstitials));
        c->interstitials[c->n_interstitials++] = one;
    }
    return 0;
}

static int check_share (const struct exchange *e, double sum, struct error *err)
{
    if (!(e->share > 0) || !(sum <= 1 + 1e-9))
        return error_set (err,
                          "substitute.%s: the shares are above 0, and 1 at "
                          "most together; %s has %g, and the sum is %g",
                          e->of, e->by, e->share, sum);
    if (strcmp (e->of, e->by) == 0)
        return error_set (err,
                          "substitute.%s: it becomes itself; name another "
                          "element",
                          e->of);
    return 0;
}

int construction_read_exchanges (const struct json *v, struct construction *c,
                                 struct error *err)
{
    size_t alloc = 0;

    JSON_FOREACH (v, of) {
        double sum = 0;

        JSON_FOREACH (json_iter_value (of), by) {
            struct exchange e = { .share =
                                      json_as_double (json_iter_value (by)) };

            sum += e.share;
            if (read_symbol (c, json_iter_key (of), e.of, err) < 0
                || read_symbol (c, json_iter_key (by), e.by, err) < 0)
                return error_prefix (err, "substitute");
            if (check_share (&e, sum, err) < 0)
                return -1;
            c->exchanges = grow_array (c->exchanges, c->n_exchanges, &alloc,
                                       sizeof (*c->exchanges));
            c->exchanges[c->n_exchanges++] = e;
        }
    }
    return 0;
}
