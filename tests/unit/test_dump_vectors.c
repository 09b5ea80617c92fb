/* SPDX-License-Identifier: BSD-3-Clause */
/* test_dump_vectors.c - vectors out of text dumps: what is fast is what is slow
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "formats/number.h"
#include "formats/vector_reader.h"
#include "temp_dir.h"

#define HEAD(step, n)                                                          \
    "ITEM: TIMESTEP\n" step "\nITEM: NUMBER OF ATOMS\n" n "\n"                 \
    "ITEM: BOX BOUNDS pp pp pp\n0 9\n0 9\n0 9\n"

static const char *const names[] = { "fx", "fy", "fz" };
static const struct vector_options forces = { .kind = VECTOR_FORCES };
/* Read word by word, since it has elements. */
static const struct vector_options slowly = { .kind = VECTOR_FORCES,
                                              .structure = true };

static uint64_t random_state = 4711;

static uint64_t random_bits (void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* A number in one of the forms that programs print. */
static void add_number (struct strbuf *out, int form)
{
    double value = ((double)(random_bits () >> 11) * 0x1p-53 - 0.5) * 4;

    switch (form) {
    case 0:
        strbuf_addf (out, "%g", value);
        break;
    case 1:
        strbuf_addf (out, "%.17g", value * 1e3);
        break;
    case 2:
        strbuf_addf (out, "%.8e", value);
        break;
    case 3:
        strbuf_addf (out, "%.3f", value * 1e5);
        break;
    case 4:
        strbuf_addf (out, "%d", (int)(value * 100));
        break;
    case 5:
        strbuf_addf (out, "%g", value * 1e-3);
        break;
    case 6:
        strbuf_addf (out, "%.7f", value);
        break;
    default:
        strbuf_addf (out, "%015.6f", fabs (value));
    }
}

/* A frame of n atoms with these columns, separated and ended so. */
static void add_frame (struct strbuf *out, int64_t step, size_t n,
                       const char *heading, const char *end, int n_forms)
{
    strbuf_addf (out, HEAD ("%lld", "%zu") "ITEM: ATOMS %s\n", (long long)step,
                 n, heading);
    for (size_t i = 0; i < n; i++) {
        bool first = true;

        for (const char *at = heading; *at; first = false) {
            size_t len = strcspn (at, " ");

            strbuf_add_str (out, first ? "" : " ");
            if (len == 2 && strncmp (at, "id", 2) == 0)
                strbuf_addf (out, "%zu", step % 2 ? n - i : i + 1);
            else
                add_number (out, (int)(random_bits () % (uint64_t)n_forms));
            at += len;
            at += *at == ' ';
        }
        strbuf_add_str (out, end);
    }
}

/* Number 'column' of a line. */
static double word_of (const char *line, size_t column)
{
    const char *end = line + strcspn (line, "\r\n");
    double value = NAN;

    for (; column > 0; column--)
        line += strcspn (line, " ") + 1;
    assert_non_null (number_read (line, end, &value));
    return value;
}

/* Where the column stands in the heading; SIZE_MAX: nowhere. */
static size_t column_of (const char *heading, const char *name)
{
    size_t column = 0, len = strlen (name);

    for (; *heading; column++, heading += strspn (heading, " ")) {
        if (strcspn (heading, " ") == len && strncmp (heading, name, len) == 0)
            return column;
        heading += strcspn (heading, " ");
    }
    return SIZE_MAX;
}

/* What is read of the frames is what stands there, word by word. */
static void expect_words (const char *text, const char *heading)
{
    struct vector_reader *reader = vector_reader_open ("d", &forces, NULL);
    size_t id = column_of (heading, "id");
    struct vector_frame frame;
    struct error err = ERROR_INIT;
    int n = 0;

    for (; vector_reader_next (reader, &frame, &err) == 1; n++) {
        const char *line = strstr (text + frame.place, "ITEM: ATOMS");

        assert_int_equal (frame.step, n);
        assert_int_equal (frame.n_atoms, n * 37 % 400);
        assert_int_equal (frame.ids != NULL, id != SIZE_MAX);
        for (size_t row = 0; row < frame.n_atoms; row++) {
            size_t i = row;

            line = strchr (line, '\n') + 1;
            if (frame.ids)
                i = (size_t)word_of (line, id) - 1;
            assert_true (!frame.ids || frame.ids[i] == (double)i + 1);
            for (size_t j = 0; j < 3; j++) {
                double want = word_of (line, column_of (heading, names[j]));

                if (memcmp (&frame.vectors[3 * i + j], &want, sizeof (want)))
                    fail_msg ("frame %d, atom %zu: %.17g, not %.17g", n, i,
                              frame.vectors[3 * i + j], want);
            }
        }
    }
    if (err.text[0])
        fail_msg ("%s", err.text);
    assert_int_equal (n, 40);
    vector_reader_close (reader);
}

static void test_all_forms (void **state)
{
    static const struct {
        const char *heading;
        const char *end;
        int n_forms;
    } cases[] = {
        { "id type fx fy fz", "\n", 1 },
        { "id type fx fy fz", " \n", 1 }, /* LAMMPS of old */
        { "id type fx fy fz", "\r\n", 1 },
        { "id type fx fy fz", "\n", 8 },
        { "fz fy fx", "\n", 8 },                                /* no ids */
        { "id type x y z vx vy vz fx fy fz c_1 c_2", "\n", 8 }, /* long rows */
        { "a b c d e f g h fy i j k l m n o p q r fx fz id", " \n", 4 },
    };
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct strbuf text = STRBUF_INIT;

        for (int64_t step = 0; step < 40; step++)
            add_frame (&text, step, (size_t)(step * 37 % 400), cases[i].heading,
                       cases[i].end, cases[i].n_forms);
        assert_int_equal (file_write_atomic ("d", text.buf, text.len, NULL), 0);
        expect_words (text.buf, cases[i].heading);
        strbuf_release (&text);
    }
    temp_dir_leave (&dir);
}

/* Words that are almost numbers. */
static const char *const almost_numbers[] = {
    "1.5.2",
    "-",
    "--1.5",
    "1-5",
    "+1.25",
    "1e5",
    ".",
    "-.",
    "5.",
    ".5",
    "nan",
    "-inf",
    "0x1p3",
    "1,5",
    "1.5e",
    "/1.5",
    "1.5/",
    ":",
    "1.:",
    "-0",
    "-0.0",
    "00001",
    "1_000",
    "12345678901234567890",
    "0.00000001",
    "1.5\x01",
    "\xb1.5",
    "9999999.9",
    "1234567.1234567",
    "123456789.5",
    "",
};

/* The fourth of nine rows, far from the ends of what is in memory, holds
 * 'word': what reads fast and what reads word by word make the same of it.
 */
static void expect_same_word (const char *word)
{
    struct strbuf text = STRBUF_INIT;
    struct error fast_err = ERROR_INIT, slow_err = ERROR_INIT;
    struct vector_reader *fast, *slow;
    struct vector_frame a, b;
    int rc;

    strbuf_add_str (&text, HEAD ("0", "9") "ITEM: ATOMS id fx fy fz element\n");
    for (int row = 1; row < 10; row++)
        strbuf_addf (&text, "%d 0.5 %s 0.25 Si\n", row,
                     row == 4 ? word : "0.125");
    assert_int_equal (file_write_atomic ("d", text.buf, text.len, NULL), 0);
    fast = vector_reader_open ("d", &forces, NULL);
    slow = vector_reader_open ("d", &slowly, NULL);
    rc = vector_reader_next (slow, &b, &slow_err);
    assert_int_equal (vector_reader_next (fast, &a, &fast_err), rc);
    assert_string_equal (fast_err.text, slow_err.text);
    if (rc == 1)
        assert_memory_equal (&a.vectors[10], &b.vectors[10], sizeof (double));
    vector_reader_close (fast);
    vector_reader_close (slow);
    strbuf_release (&text);
}

static void test_almost_numbers (void **state)
{
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    for (size_t i = 0; i < ARRAY_SIZE (almost_numbers); i++)
        expect_same_word (almost_numbers[i]);
    temp_dir_leave (&dir);
}

static void test_refusals (void **state)
{
    static const struct {
        const char *text;
        int rc;
        const char *message;
    } cases[] = {
        { HEAD ("0", "1") "ITEM: ATOMS id fx fy\n1 0 0\n", -1,
          "d:9: no column 'fz'; dump the columns fx fy fz" },
        { HEAD ("0", "1") "ITEM: ATOMS id fx fy fz\n1 0 0      \n", -1,
          "d:10: expected a number in column 4 (fz)" },
        { HEAD ("0", "1") "ITEM: ATOMS id fx fy fz q\n1 0 0 0        \n", -1,
          "d:10: expected a word in column 5 (q)" },
        { HEAD ("0", "1") "ITEM: ATOMS id fx fy fz\n1 0 0 0 0\n", -1,
          "d:10: expected 4 columns, found more" },
        { HEAD ("7", "2") "ITEM: ATOMS id fx fy fz\n3 0 0 0\n3 0 0 0\n", -1,
          "d:11: step 7: the atom id 3 occurs twice" },
        { HEAD ("7", "1") "ITEM: ATOMS id fx fy fz\nnan 0 0 0\n", -1,
          "d:10: step 7: the atom id nan is no number" },
        { HEAD ("0", "2") "ITEM: ATOMS id fx fy fz\n1 0 0 0\n", 0, "" },
        { HEAD ("0", "1") "ITEM: ATOMS id fx fy fz\n1 0 0 0", 0, "" },
        { HEAD ("0", "99999999999") "ITEM: ATOMS id fx fy fz\n", 0, "" },
    };
    struct temp_dir dir;

    (void)state;
    temp_dir_enter (&dir);
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct error err = ERROR_INIT;
        struct vector_reader *reader;
        struct vector_frame frame;

        write_text ("d", cases[i].text);
        reader = vector_reader_open ("d", &forces, NULL);
        assert_int_equal (vector_reader_next (reader, &frame, &err),
                          cases[i].rc);
        assert_string_equal (err.text, cases[i].message);
        assert_int_equal (vector_reader_truncated (reader), cases[i].rc == 0);
        vector_reader_close (reader);
    }
    temp_dir_leave (&dir);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_all_forms),
        cmocka_unit_test (test_almost_numbers),
        cmocka_unit_test (test_refusals),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
