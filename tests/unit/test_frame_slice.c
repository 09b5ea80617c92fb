/* SPDX-License-Identifier: BSD-3-Clause */
/* test_frame_slice.c - frames are found in a file and cut out of it */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <sys/stat.h>
#include <unistd.h>

#include "base/json.h"
#include "signature/frame_slice.h"
#include "temp_dir.h"

#define FIRST "1\nfirst\nH 0 0 0\n"
#define SECOND "2\nsecond\nH 1 0 0\nHe 2 0 0\n"

static void test_cut (void **state)
{
    struct json *list = json_array ();
    struct frame_file file;
    struct error err = ERROR_INIT;
    struct temp_dir dir;
    struct stat st;

    (void)state;
    temp_dir_enter (&dir);
    assert_int_equal (mkdir ("d", 0777), 0);
    write_text ("d/f", FIRST SECOND);
    assert_int_equal (frame_file_open (&file, "f", "d", &err), 0);
    for (size_t i = 0; i < file.index.n; i++)
        json_push (list, frame_slice (&file, i));
    frame_file_release (&file);
    assert_int_equal (json_count (list), 2);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal (frame_slice_check (json_at (list, i), &err), 0);
    assert_int_equal (frame_slice_cut (json_at (list, 1), "d", "one", &err),
                      FRAME_CUT_OK);
    assert_file_text ("one", SECOND);
    assert_int_equal (stat ("one", &st), 0);
    assert_int_equal (st.st_mode & 0777, 0444);
    /* the target is there; then the source has shrunk, and is gone */
    assert_int_equal (frame_slice_cut (json_at (list, 0), "d", "one", &err),
                      FRAME_CUT_FAILED);
    assert_int_equal (truncate ("d/f", sizeof (FIRST)), 0);
    assert_int_equal (frame_slice_cut (json_at (list, 1), "d", "two", &err),
                      FRAME_CUT_BAD_SOURCE);
    assert_non_null (strstr (err.text, "ends before byte"));
    assert_int_equal (unlink ("d/f"), 0);
    assert_int_equal (frame_slice_cut (json_at (list, 0), "d", "three", &err),
                      FRAME_CUT_BAD_SOURCE);
    assert_int_equal (frame_file_open (&file, "f", "d", &err), -1);
    temp_dir_leave (&dir);
    json_unref (list);
}

static void test_impossible (void **state)
{
    static const char *const texts[] = {
        "{}",
        "{\"frame\": 0, \"offset\": 0}",
        "{\"frame\": -1, \"offset\": 0, \"bytes\": 1}",
        "{\"frame\": 0, \"offset\": -1, \"bytes\": 1}",
        "{\"frame\": 0, \"offset\": 0, \"bytes\": 0}",
        "{\"frame\": 0, \"offset\": \"0\", \"bytes\": 1}",
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (texts); i++) {
        struct error err = ERROR_INIT;
        struct json *slice =
            json_parse (texts[i], strlen (texts[i]), "t", NULL);

        assert_non_null (slice);
        assert_int_equal (frame_slice_check (slice, &err), -1);
        assert_true (err.text[0]);
        json_unref (slice);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_cut),
        cmocka_unit_test (test_impossible),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
