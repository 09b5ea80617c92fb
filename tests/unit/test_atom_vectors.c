/* SPDX-License-Identifier: BSD-3-Clause */
/* test_atom_vectors.c - atoms in the order of their ids, frame after frame */
#include "config.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "formats/atom_vectors.h"

enum { MOST = 4 };

/* Frames of one file: ids as they stand there, and whether they are others than
 * those of the frame before.  The vector of atom i starts with i.
 */
static void test_versions (void **state)
{
    static const struct {
        size_t n;
        double ids[MOST];
        bool changed;
    } frames[] = {
        { 0, { 0 }, true }, /* before there is any memory */
        { 3, { 1, 2, 3 }, true },    { 3, { 1, 2, 3 }, false },
        { 3, { 1, 2, 4 }, true },    { 2, { 1, 2 }, true },
        { 3, { 1, 2, 4 }, true },    { 3, { 4, 2, 1 }, true },
        { 3, { 1, 2, 4 }, true },    { 3, { 1, 2, 4 }, false },
        { 4, { 1, 2, 4, 9 }, true }, { 4, { 1, 2, 4, 9 }, false },
        { 0, { 0 }, true },          { 4, { 9, 4, 2, 1 }, true },
        { 4, { 1, 2, 4, 9 }, true },
    };
    struct atom_vectors atoms = ATOM_VECTORS_INIT;
    uint64_t version = 0;

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (frames); i++) {
        size_t n = frames[i].n;

        assert_int_equal (atom_vectors_resize (&atoms, n, NULL), 0);
        assert_non_null (atoms.vectors);
        atoms.has_ids = true;
        for (size_t k = 0; k < n; k++) {
            atoms.ids[k] = frames[i].ids[k];
            atoms.vectors[3 * k] = frames[i].ids[k];
        }
        assert_int_equal (atom_vectors_sort (&atoms, NULL), 0);
        for (size_t k = 0; k < n; k++) {
            assert_true (k == 0 || atoms.ids[k - 1] < atoms.ids[k]);
            assert_true (atoms.vectors[3 * k] == atoms.ids[k]);
        }
        if ((atoms.ids_version != version) != frames[i].changed)
            fail_msg ("frame %zu: version %d", i, (int)atoms.ids_version);
        version = atoms.ids_version;
    }
    atom_vectors_release (&atoms);
}

/* Refused, as often as they come. */
static void test_refusals (void **state)
{
    static const struct {
        double ids[MOST];
        const char *message;
    } cases[] = {
        { { 1, 2, 2, 3 }, "the atom id 2 occurs twice" },
        { { 1, 2, 2, 3 }, "the atom id 2 occurs twice" },
        { { 3, 1, 3, 2 }, "the atom id 3 occurs twice" },
        { { 1, 2, NAN, 3 }, "the atom id nan is no number" },
        { { 1, 2, NAN, 3 }, "the atom id nan is no number" },
        { { 1, 2, 3, INFINITY }, "the atom id inf is no number" },
    };
    struct atom_vectors atoms = ATOM_VECTORS_INIT;
    struct error err = ERROR_INIT;

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        assert_int_equal (atom_vectors_resize (&atoms, MOST, NULL), 0);
        atoms.has_ids = true;
        memcpy (atoms.ids, cases[i].ids, sizeof (cases[i].ids));
        assert_int_equal (atom_vectors_sort (&atoms, &err), -1);
        assert_string_equal (err.text, cases[i].message);
    }
    atom_vectors_release (&atoms);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_versions),
        cmocka_unit_test (test_refusals),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
