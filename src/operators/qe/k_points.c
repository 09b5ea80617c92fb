/* SPDX-License-Identifier: BSD-3-Clause */
/* k_points.c - the card K_POINTS of pw.x, for the cell of each frame */
#include "base/base.h"

#include "base/json.h"
#include "formats/frame.h"
#include "formats/qe/pw_scan.h"
#include "operators/qe/k_points.h"
#include "selection/geometry/geometry.h"
#include "signature/operator.h"

/* More points along one vector are a mistake. */
enum { POINTS_MAX = 1000 };

/* For a vector b of the reciprocal lattice, |b| = 2 pi / height, there are
 * ceil (|b| / kspacing) points, shifted by half a step where their number is
 * even, as DP-GEN has it.
 */
int pw_add_k_points (const struct json *kspacing, const struct frame *frame,
                     struct strbuf *out, struct error *err)
{
    double spacing = json_as_double (kspacing), inverse[9], heights[3];
    int n[3];

    if (json_is_null (kspacing))
        return 0;
    if (!geometry_invert_cell (frame->cell, inverse, heights))
        return error_set (err, "the frame's cell has no volume");
    for (int i = 0; i < 3; i++) {
        double points = ceil (2 * M_PI / (heights[i] * spacing) - 1e-9);

        if (points > POINTS_MAX)
            return error_set (err,
                              "kspacing: %g asks for %g k-points along a "
                              "vector of the cell; write a larger one",
                              spacing, points);
        n[i] = points > 1 ? (int)points : 1;
    }
    if (n[0] * n[1] * n[2] == 1)
        strbuf_add_str (out, "K_POINTS gamma\n");
    else
        strbuf_addf (out, "K_POINTS automatic\n %d %d %d %d %d %d\n", n[0],
                     n[1], n[2], n[0] % 2 == 0, n[1] % 2 == 0, n[2] % 2 == 0);
    return 0;
}

static int find_card (enum pw_item item, const char *word, size_t line,
                      size_t end, void *arg, struct error *err)
{
    (void)line;
    (void)end;
    (void)arg;
    (void)err;
    return item == PW_CARD && strcmp (word, "k_points") == 0;
}

int pw_check_kspacing (const struct known_input *input, struct error *err)
{
    if (json_as_double (input->value) <= 0)
        return error_set (err, "kspacing: must be more than 0, in 1/angstrom");
    return 0;
}

int pw_check_k_points (const char *text, size_t len, const char *name,
                       const struct known_input *input, struct error *err)
{
    bool has_card = pw_scan (text, len, find_card, NULL, NULL) == 1;
    bool kspacing = !json_is_null (json_get (input->others, "kspacing"));

    if (has_card && kspacing)
        return error_set (
            err, "%s has K_POINTS; remove them, or kspacing of the stage",
            name);
    if (!has_card && !kspacing)
        return error_set (err,
                          "%s: there are no K_POINTS; add the card, or write "
                          "kspacing: NUMBER",
                          name);
    return 0;
}
