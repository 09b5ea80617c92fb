/* SPDX-License-Identifier: BSD-3-Clause */
/* test_frame.c - room for atoms, volumes, symbols */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "formats/frame.h"

static void test_resize (void **state)
{
    struct frame frame = FRAME_INIT;

    (void)state;
    assert_int_equal (frame_resize (&frame, 2, true, NULL), 0);
    assert_int_equal (frame.n_atoms, 2);
    assert_string_equal (frame.symbols[1], "");
    assert_true (frame.positions[5] == 0 && frame.forces[5] == 0);
    assert_false (frame.has_energy || frame.has_virial);
    frame_release (&frame);
    assert_int_equal (frame_resize (&frame, 0, false, NULL), 0);
    assert_null (frame.forces);
    frame_release (&frame);
    frame_release (&frame);
}

static void test_too_many_atoms (void **state)
{
    struct frame frame = FRAME_INIT;
    struct error err = ERROR_INIT;

    (void)state;
    assert_int_equal (frame_resize (&frame, SIZE_MAX / 4, true, &err), -1);
    assert_int_equal (frame.n_atoms, 0);
    assert_null (frame.symbols);
    assert_true (err.text[0] != '\0');
}

static void test_volume (void **state)
{
    struct frame frame = { .cell = { 2, 0, 0, 1, 3, 0, 5, 7, 4 } };

    (void)state;
    assert_true (frame_volume (&frame) == 24);
    frame.cell[8] = -4;
    assert_true (frame_volume (&frame) == -24);
    frame = (struct frame){ .cell = { 0, 1, 0, 0, 0, 1, 1, 0, 0 } };
    assert_true (frame_volume (&frame) == 1);
}

static void test_symbols (void **state)
{
    char symbol[SYMBOL_SIZE] = "Before";

    (void)state;
    assert_int_equal (symbol_set (symbol, "Si rest", 2), 0);
    assert_string_equal (symbol, "Si");
    assert_int_equal (symbol_set (symbol, "Fe_upXX", 7), 0);
    assert_string_equal (symbol, "Fe_upXX");
    assert_int_equal (symbol_set (symbol, "12345678", 8), -1);
    assert_int_equal (symbol_set (symbol, "", 0), -1);
    assert_int_equal (symbol_set (symbol, "S\0i", 3), -1);
    assert_int_equal (symbol_set (symbol, "Si\r", 3), -1);
    assert_string_equal (symbol, "Fe_upXX");
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_resize),
        cmocka_unit_test (test_too_many_atoms),
        cmocka_unit_test (test_volume),
        cmocka_unit_test (test_symbols),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
