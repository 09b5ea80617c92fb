/* SPDX-License-Identifier: BSD-3-Clause */
/* test_operators_qe_ending.c - what pw.x says when it fails */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "operators/qe/qe.h"

#define BANNER "     Program PWSCF v.6.7MaX starts on 21Nov2026 at  2:12:55 \n"
#define RULE " %%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%%\n"

/* As pw.x 6.7 prints them. */
static const struct {
    const char *printed;
    bool whole;
    enum ending ending;
    const char *message;
} cases[] = {
    { BANNER "     convergence NOT achieved after   3 iterations: stopping\n"
             "   JOB DONE.\n",
      true, ENDING_UNCONVERGED, "SCF not converged after 3 steps" },
    { BANNER RULE
      "     Error in routine readpp (1):\n"
      "     file /usr/share/espresso/pseudo/nosuch.UPF not found\n" RULE,
      true, ENDING_MISTAKE,
      "Error in routine readpp (1): file /usr/share/espresso/pseudo/nosuch.UPF "
      "not found" },
    { BANNER RULE "     Error in routine c_bands (1):\n"
                  "     too many bands are not converged\n" RULE,
      true, ENDING_UNCONVERGED,
      "Error in routine c_bands (1): too many bands are not converged" },
    { BANNER "     c_bands      :      0.05s CPU      0.06s WALL (      12 "
             "calls)\n" RULE "     Error in routine  rdiaghg (159):\n"
             "     S matrix not positive definite\n" RULE,
      true, ENDING_UNCONVERGED,
      "Error in routine  rdiaghg (159): S matrix not positive definite" },
    { BANNER RULE "     Error in routine davcio (10):\n"
                  "     error writing file \"./scratch/frame.wfc1\"\n" RULE,
      true, ENDING_PASSING,
      "Error in routine davcio (10): error writing file "
      "\"./scratch/frame.wfc1\"" },
    { RULE "     Error in routine cdiaghg (37):", false, ENDING_UNCONVERGED,
      "Error in routine cdiaghg (37):" },
    { RULE "     Error in routine ", false, ENDING_MISTAKE,
      "Error in routine" },
    { BANNER "     total cpu time spent up to now is        0.1 secs\n", true,
      ENDING_UNKNOWN, "" },
    { "     total cpu time spent up to now is        0.1 secs\n", false,
      ENDING_UNKNOWN, "" },
    { "", true, ENDING_SILENT, "" },
    { "A call to mkdir was unable to create the desired directory\n", true,
      ENDING_SILENT, "" },
    { "convergence NOT achieved after", false, ENDING_UNCONVERGED,
      "SCF not converged after ? steps" },
};

static void test_endings (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct strbuf message = STRBUF_INIT;
        enum ending ending =
            code_judge (&pw_code, cases[i].printed, cases[i].whole, &message);

        if (ending != cases[i].ending)
            fail_msg ("'%s' is %d", cases[i].printed, (int)ending);
        assert_string_equal (message.buf, cases[i].message);
        strbuf_release (&message);
    }
}

/* Wherever a text is cut, what is left of it is read. */
static void test_every_cut (void **state)
{
    static const char printed[] = BANNER RULE
        "     Error in routine readpp (1):\n     file x not found\n" RULE;

    (void)state;
    for (size_t len = 0; len < sizeof (printed); len++) {
        struct strbuf message = STRBUF_INIT;
        char *copy = strndup (printed, len); /* ASan knows its end */

        assert_non_null (copy);
        code_judge (&pw_code, copy, true, &message);
        assert_true (message.len <= len);
        free (copy);
        strbuf_release (&message);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_endings),
        cmocka_unit_test (test_every_cut),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
