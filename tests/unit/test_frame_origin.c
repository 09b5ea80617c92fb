/* SPDX-License-Identifier: BSD-3-Clause */
/* test_frame_origin.c - which file a frame of a joined set was in */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "formats/dataset_writer.h"
#include "formats/frame_origin.h"
#include "temp_dir.h"

static const struct {
    const char *path;
    const char *text;
    const char *expected;
    const char *kept; /* with 'keep', where that makes a difference */
} texts[] = {
    { "/a/b", "1\nenergy=1\nO 0 0 0\n",
      "1\nenergy=1 fanfold_origin=\"/a/b\"\nO 0 0 0\n", NULL },
    { "/a b", "1\nenergy=1 \t \nO 0 0 0", /* no line break at its end */
      "1\nenergy=1 fanfold_origin=\"/a b\"\nO 0 0 0\n", NULL },
    { "/a", "1\r\nenergy=1\r\nO 0 0 0\r\n",
      "1\r\nenergy=1 fanfold_origin=\"/a\"\nO 0 0 0\r\n", NULL },
    { "/q\"\\\n", "1\ne=1\nO 0 0 0\n",
      "1\ne=1 fanfold_origin=\"/q___\"\nO 0 0 0\n", NULL },
    { "/new", "1\ne=1 fanfold_origin=\"/old one\" step=3\nO 0 0 0\n",
      "1\ne=1 step=3 fanfold_origin=\"/new\"\nO 0 0 0\n",
      "1\ne=1 fanfold_origin=\"/old one\" step=3\nO 0 0 0\n" },
    { "/new", "1\ne=1 fanfold_origin=\"/old\"\nO 0 0 0\n",
      "1\ne=1 fanfold_origin=\"/new\"\nO 0 0 0\n",
      "1\ne=1 fanfold_origin=\"/old\"\nO 0 0 0\n" },
    { "/a", "1\n\nO 0 0 0\n", "1\n fanfold_origin=\"/a\"\nO 0 0 0\n", NULL },
    /* columns, keys and digits of others stay as they are */
    { "/a",
      "1\ne=1.50 w=\"3\" Properties=species:S:1:pos:R:3:q:R:1\nO 0 0 0 1\n",
      "1\ne=1.50 w=\"3\" Properties=species:S:1:pos:R:3:q:R:1 "
      "fanfold_origin=\"/a\"\nO 0 0 0 1\n",
      NULL },
    /* not in a line of an atom */
    { "/a", "1\ne=1\nO 0 0 0 fanfold_origin=\"/x\"\n",
      "1\ne=1 fanfold_origin=\"/a\"\nO 0 0 0 fanfold_origin=\"/x\"\n", NULL },
};

static void test_texts (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (texts); i++) {
        const char *text = texts[i].text, *kept = texts[i].kept;
        struct strbuf out = STRBUF_INIT;

        frame_origin_set (text, strlen (text), texts[i].path, false, &out);
        assert_string_equal (out.buf, texts[i].expected);
        strbuf_reset (&out);
        frame_origin_set (text, strlen (text), texts[i].path, true, &out);
        assert_string_equal (out.buf, kept ? kept : texts[i].expected);
        strbuf_release (&out);
    }
}

/* --- of DeePMD's systems --- */

#define FRAME(MORE)                                                            \
    "1\nenergy=-1 " MORE " Lattice='9 0 0 0 9 0 0 0 9' "                       \
    "Properties=species:S:1:pos:R:3:forces:R:3\nO 0 0 0 0 0 0\n"

static const struct {
    const char *frames;
    const char *origins; /* NULL: there is no file */
} systems[] = {
    { FRAME ("") FRAME ("step=1"), NULL },
    { FRAME ("fanfold_origin=\"/a b/c\"") FRAME ("fanfold_origin=\"/d\""),
      "/a b/c\n/d\n" },
    { FRAME ("") FRAME ("fanfold_origin=\"/a\"") FRAME (""), "-\n/a\n-\n" },
};

static void test_systems (void **state)
{
    static char *const elements[] = { "O" };
    static const struct {
        const char *form, *file;
    } forms[] = {
        { "deepmd", "deepmd/O1/origins.txt" },
        { "deepmd-mixed", "deepmd-mixed/1/origins.txt" },
        { "deepmd-raw", "deepmd-raw/O1/origins.txt" },
    };
    struct error err = ERROR_INIT;

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (systems) * ARRAY_SIZE (forms); i++) {
        const char *expected = systems[i / ARRAY_SIZE (forms)].origins;
        const char *form = forms[i % ARRAY_SIZE (forms)].form;
        const char *file = forms[i % ARRAY_SIZE (forms)].file;
        const struct dataset_writer *writer = dataset_writers;
        struct temp_dir dir;

        while (strcmp (writer->name, form) != 0)
            writer++;
        temp_dir_enter (&dir);
        write_text ("f", systems[i / ARRAY_SIZE (forms)].frames);
        if (writer->write ("f", elements, 1, form, NULL, &err) < 0)
            fail_msg ("%s: %s", form, err.text);
        assert_int_equal (file_exists (file), expected != NULL);
        if (expected)
            assert_file_text (file, expected);
        temp_dir_leave (&dir);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_texts),
        cmocka_unit_test (test_systems),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
