/* SPDX-License-Identifier: BSD-3-Clause */
/* test_lcurve.c - the learning curve of DeePMD-kit, in all its shapes */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "fixture.h"
#include "formats/deepmd/lcurve.h"
#include "formats/lines.h"

static int read_text (const char *text, struct lcurve *curve, struct error *err)
{
    struct lines lines = LINES_INIT;
    int rc;

    lines_of_text (&lines, text, strlen (text), "lcurve.out", 1);
    rc = lcurve_read (&lines, curve, err);
    lines_close (&lines);
    return rc;
}

/* What `dp --pt train` wrote (tests/fixtures/deepmd). */
static void test_recorded (void **state)
{
    char *path = fixture_path ("deepmd/training/lcurve.out");
    struct lcurve curve = LCURVE_INIT;

    (void)state;
    assert_int_equal (lcurve_read_file (path, &curve, NULL), 0);
    assert_int_equal (curve.step, 200);
    assert_int_equal (curve.n_rows, 11);
    assert_int_equal (curve.n_broken, 0);
    assert_int_equal (curve.diverged_at, -1);
    assert_true (json_get_double (curve.last, "rmse_e_trn") == 3.31e-03);
    assert_true (json_get_double (curve.last, "rmse_f_val") == 8.46e-01);
    assert_true (json_get_double (curve.last, "lr") == 1.6e-05);
    lcurve_release (&curve);
    free (path);
}

/* It went on where it was: steps go on, columns are named once. */
static void test_recorded_restart (void **state)
{
    char *path = fixture_path ("deepmd/training/lcurve.restart.out");
    struct lcurve curve = LCURVE_INIT;

    (void)state;
    assert_int_equal (lcurve_read_file (path, &curve, NULL), 0);
    assert_int_equal (curve.step, 60);
    assert_int_equal (curve.n_rows, 7);
    lcurve_release (&curve);
    free (path);
}

#define HEAD "#  step      rmse_trn    rmse_e_trn    rmse_f_trn         lr\n"
#define ROW(step) #step "  1.0e+01  2.0e-01  3.0e-01  1.0e-03\n"
#define NAN_ROW(step) #step "  nan  nan  nan  1.0e-03\n"

static const struct {
    const char *what, *text;
    int64_t step;
    size_t n_rows, n_broken;
    int64_t diverged_at;
    const char *last; /* JSON */
} shapes[] = {
    { "no validation", HEAD ROW (1) ROW (20), 20, 2, 0, -1,
      "{\"step\":20,\"rmse_trn\":10.0,\"rmse_e_trn\":0.2,\"rmse_f_trn\":0.3,"
      "\"lr\":0.001}" },
    { "a last line that is being written", HEAD ROW (1) "  20  1.0e+0", 1, 1, 0,
      -1, NULL },
    { "a whole row without its line break", HEAD ROW (1) "2 1 1 1 1", 1, 1, 0,
      -1, NULL },
    { "comments and blank lines",
      "# If there is no reference data\n\n" HEAD "# more\n" ROW (1) "\n", 1, 1,
      0, -1, NULL },
    { "line breaks of another system", "# step rmse_trn lr\r\n1 2 3\r\n", 1, 1,
      0, -1, "{\"step\":1,\"rmse_trn\":2.0,\"lr\":3.0}" },
    { "version 1",
      "# batch      l2_tst    l2_trn    l2_e_tst  l2_e_trn         lr\n"
      "      0    2.67e+01    2.57e+01    1e-01  2e-01    1e-03\n",
      0, 1, 0, -1,
      "{\"step\":0,\"rmse_val\":26.7,\"rmse_trn\":25.7,\"rmse_e_val\":0.1,"
      "\"rmse_e_trn\":0.2,\"lr\":0.001}" },
    { "a magnetic one",
      "# step rmse_trn rmse_fr_trn rmse_fm_trn lr\n5 1 2 3 4\n", 5, 1, 0, -1,
      "{\"step\":5,\"rmse_trn\":1.0,\"rmse_fr_trn\":2.0,\"rmse_fm_trn\":3.0,"
      "\"lr\":4.0}" },
    { "a quantity without reference data",
      "# step rmse_trn rmse_v_trn lr\n5 1 nan 4\n", 5, 1, 0, -1,
      "{\"step\":5,\"rmse_trn\":1.0,\"rmse_v_trn\":null,\"lr\":4.0}" },
    { "restarted: rows again", HEAD ROW (1) ROW (20) ROW (40) ROW (30) ROW (50),
      50, 5, 0, -1, NULL },
    { "restarted: columns again", HEAD ROW (1) ROW (20) HEAD ROW (30), 30, 3, 0,
      -1, NULL },
    { "killed within a row, then restarted",
      HEAD ROW (1) "  20  1.0e+0" ROW (10) ROW (20), 20, 2, 1, -1, NULL },
    { "killed within a row, columns again",
      HEAD ROW (1) "  20  1.0e+0" HEAD ROW (10), 10, 2, 1, -1, NULL },
    { "other columns: another training",
      "# step rmse_trn lr\n1 nan 3\n" HEAD ROW (10), 10, 1, 0, -1, NULL },
    { "diverged", HEAD ROW (1) NAN_ROW (20) NAN_ROW (40), 40, 3, 0, 20, NULL },
    { "infinite", "# step rmse_trn lr\n1 inf 3\n", 1, 1, 0, 1, NULL },
    { "diverged only for a while", HEAD NAN_ROW (1) ROW (20), 20, 2, 0, -1,
      NULL },
    { "diverged, and again after it went on",
      HEAD NAN_ROW (20) NAN_ROW (40) NAN_ROW (10), 10, 3, 0, 10, NULL },
    { "not by a row", HEAD ROW (1) "20 x 1 1 1\n-3 1 1 1 1\n1 2 3 4 5 6\n", 1,
      1, 3, -1, NULL },
};

static void test_shapes (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (shapes); i++) {
        struct lcurve curve = LCURVE_INIT;
        struct strbuf last = STRBUF_INIT;
        struct error err = ERROR_INIT;

        if (read_text (shapes[i].text, &curve, &err) < 0)
            fail_msg ("%s: %s", shapes[i].what, err.text);
        json_dump (curve.last, JSON_COMPACT, &last);
        if (curve.step != shapes[i].step || curve.n_rows != shapes[i].n_rows
            || curve.n_broken != shapes[i].n_broken
            || curve.diverged_at != shapes[i].diverged_at)
            fail_msg ("%s: step %d, %zu rows, %zu broken, diverged %d",
                      shapes[i].what, (int)curve.step, curve.n_rows,
                      curve.n_broken, (int)curve.diverged_at);
        if (shapes[i].last && strcmp (last.buf, shapes[i].last) != 0)
            fail_msg ("%s: %s", shapes[i].what, last.buf);
        strbuf_release (&last);
        lcurve_release (&curve);
    }
}

static const struct {
    const char *text, *message;
} broken[] = {
    { "", "no line names the columns (# step ...)" },
    { "1 2 3\n", "no line names the columns (# step ...)" },
    { "# comment\n# epoch rmse\n1 2\n", "no line names the columns" },
    { "# step\n1\n", "no line names the columns" },
    { HEAD, "there is no row yet" },
    { HEAD "  1  2", "there is no row yet" },
    { HEAD "99999999999999999999 1 1 1 1\n", "there is no row yet" },
};

static void test_broken (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (broken); i++) {
        struct lcurve curve = LCURVE_INIT;
        struct error err = ERROR_INIT;

        assert_int_equal (read_text (broken[i].text, &curve, &err), -1);
        assert_null (curve.last);
        if (!strstr (err.text, broken[i].message))
            fail_msg ("%s: %s", broken[i].message, err.text);
    }
}

int main (void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_recorded),
        cmocka_unit_test (test_recorded_restart),
        cmocka_unit_test (test_shapes),
        cmocka_unit_test (test_broken),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
