/* SPDX-License-Identifier: BSD-3-Clause */
/* test_loss_out.c - the learning curve of GPUMD's nep, rows as fitness.cu
 * prints them
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "formats/gpumd/loss_out.h"
#include "formats/lines.h"
#include "quoted_json.h"

/* "%-8d%-11.5f%-11.5f%-11.5f%-13.5f..." */
static void add_row (struct strbuf *text, int generation, double loss,
                     double energy)
{
    strbuf_addf (text,
                 "%-8d%-11.5f%-11.5f%-11.5f%-13.5f%-13.5f%-13.5f%-13.5f%-13.5f"
                 "%-13.5f\n",
                 generation, loss, 0.01, 0.02, energy, 0.1, 0.2, 0.3, 0.4, 0.5);
}

static int read_text (const char *text, struct loss_curve *curve,
                      struct error *err)
{
    struct lines lines = LINES_INIT;
    int rc;

    *curve = (struct loss_curve){ .diverged_at = -1 };
    lines_of_text (&lines, text, strlen (text), "loss.out", 1);
    rc = loss_out_read (&lines, curve, err);
    lines_close (&lines);
    return rc;
}

static void test_columns (void **state)
{
    struct strbuf text = STRBUF_INIT;
    struct loss_curve curve;

    (void)state;
    strbuf_add_str (&text, "# generation loss\n");
    add_row (&text, 100, 1.5, 0.25);
    add_row (&text, 200, 0.75, 0.125);
    assert_int_equal (read_text (text.buf, &curve, NULL), 0);
    assert_json (curve.last,
                 "{'step':200,'loss':0.75,'loss_l1':0.01,'loss_l2':0.02,"
                 "'rmse_e':0.125,'rmse_f':0.1,'rmse_v':0.2,'rmse_e_val':0.3,"
                 "'rmse_f_val':0.4,'rmse_v_val':0.5}");
    assert_int_equal (curve.step, 200);
    assert_int_equal (curve.diverged_at, -1);
    json_unref (curve.last);
    strbuf_release (&text);
}

/* A number that fills its column leaves no blank. */
static void test_touching_columns (void **state)
{
    struct strbuf text = STRBUF_INIT;
    struct loss_curve curve;

    (void)state;
    add_row (&text, 100, 123456.78901, -1234567.5);
    assert_non_null (strstr (text.buf, "123456.789010.01000"));
    assert_int_equal (read_text (text.buf, &curve, NULL), 0);
    assert_true (json_as_double (json_get (curve.last, "loss"))
                 == 123456.78901);
    assert_true (json_as_double (json_get (curve.last, "rmse_e"))
                 == -1234567.5);
    json_unref (curve.last);
    strbuf_release (&text);
}

static void test_other_models (void **state)
{
    struct loss_curve curve;

    (void)state;
    /* qNEP, "%-9.5f" */
    assert_int_equal (
        read_text ("100     1.00000  2.00000  3.00000  4.00000  5.00000  "
                   "6.00000  7.00000  8.00000  9.00000  1.00000  2.00000  "
                   "3.00000  4.00000  \n",
                   &curve, NULL),
        0);
    assert_true (json_as_double (json_get (curve.last, "rmse_charge")) == 7);
    assert_true (json_as_double (json_get (curve.last, "rmse_e_val")) == 9);
    json_unref (curve.last);
    /* dipoles */
    assert_int_equal (read_text ("100     1.00000    2.00000    3.00000    "
                                 "4.00000      5.00000      \n",
                                 &curve, NULL),
                      0);
    assert_true (json_as_double (json_get (curve.last, "rmse")) == 4);
    json_unref (curve.last);
}

/* Generations begin at 1 again, rows are appended. */
static void test_continued (void **state)
{
    struct strbuf text = STRBUF_INIT;
    struct loss_curve curve;

    (void)state;
    add_row (&text, 100, 1, 1);
    add_row (&text, 200, 1, 1);
    add_row (&text, 100, 1, 1);
    add_row (&text, 50, 1, 1);
    strbuf_add_str (&text, "150     1.0");
    assert_int_equal (read_text (text.buf, &curve, NULL), 0);
    assert_int_equal (curve.step, 350);
    json_unref (curve.last);
    strbuf_release (&text);
}

static void test_divergence (void **state)
{
    static const struct {
        double loss[4];
        int64_t at;
    } cases[] = {
        { { 1, (double)NAN, (double)NAN, (double)NAN }, 200 },
        { { 1, (double)NAN, 2, 3 }, -1 },
        { { 1, (double)NAN, 2, (double)INFINITY }, 400 },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct strbuf text = STRBUF_INIT;
        struct loss_curve curve;

        for (int k = 0; k < 4; k++)
            add_row (&text, 100 * (k + 1), cases[i].loss[k], 1);
        assert_int_equal (read_text (text.buf, &curve, NULL), 0);
        assert_int_equal (curve.diverged_at, cases[i].at);
        json_unref (curve.last);
        strbuf_release (&text);
    }
}

static void test_refusals (void **state)
{
    static const struct {
        const char *text, *says;
    } bad[] = {
        { "", "there is no row" },
        { "100 1.0", "there is no row" },
        { "gen loss\n", "loss.out:1: expected a generation" },
        { "100 1.00000 2.00000\n", "expected a generation, and 5, 9 or 13" },
        { "0       1.00000 2.00000 3.00000 4.00000 5.00000\n", "expected" },
        { "100     1.00000 2.00000 3.00000 4.00000 x\n", "expected" },
        { "100 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15\n", "expected" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (bad); i++) {
        struct error err = ERROR_INIT;
        struct loss_curve curve;

        assert_int_equal (read_text (bad[i].text, &curve, &err), -1);
        if (!strstr (err.text, bad[i].says))
            fail_msg ("'%s' lacks '%s'", err.text, bad[i].says);
        assert_null (curve.last);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_columns),
        cmocka_unit_test (test_touching_columns),
        cmocka_unit_test (test_other_models),
        cmocka_unit_test (test_continued),
        cmocka_unit_test (test_divergence),
        cmocka_unit_test (test_refusals),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
