/* SPDX-License-Identifier: BSD-3-Clause */
/* test_operators_label_endings.c - what CP2K and ABACUS say when they fail */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "fixture.h"
#include "operators/abacus/label.h"
#include "operators/cp2k/label.h"

#define STARTED                                                                \
    "  **** **** ******  **  PROGRAM STARTED AT   2026-11-21 02:10\n"
#define BOX(inside)                                                            \
    " *******************************************************************\n"   \
    " *   ___                                                           *\n"   \
    " *  /   \\                                                          *\n"  \
    " * [ABORT]                                                         "      \
    "*\n" inside                                                               \
    " *******************************************************************\n"

/* CP2K 2023.1 printed the first four, by words of its source the rest. */
static const struct {
    const char *fixture; /* or NULL: */
    const char *printed;
    enum ending ending;
    const char *message;
} cp2k_cases[] = {
    { "cp2k/fail_scf.out", NULL, ENDING_UNCONVERGED, "SCF not converged" },
    { "cp2k/fail_input.out", NULL, ENDING_MISTAKE,
      "invalid value for enumeration:Quickstepp "
      "input/input_enumeration_types.F:215" },
    { "cp2k/fail_basis.out", NULL, ENDING_MISTAKE,
      "The requested basis set <NOSUCH> for element <Si> was not found in the "
      "basis set files <BASIS_MOLOPT> aobasis/basis_set_types.F:1509" },
    { "cp2k/h2o.out", NULL, ENDING_UNKNOWN, "" },
    /* releases since 2024 stop */
    { NULL,
      STARTED BOX (
          " *  \\___/    SCF run NOT converged. To continue the calculation  "
          "  *\n"
          " *    |       regardless, please set the keyword                   "
          "*\n"
          " * / \\                                            qs_scf.F:611   "
          "*\n"),
      ENDING_UNCONVERGED, "SCF not converged" },
    { NULL,
      STARTED BOX (
          " *  \\___/    Cholesky decomposition failed. Matrix ill conditioned"
          " ? *\n"
          " *    |                                                          "
          "*\n"
          " * / \\                                  fm/cp_fm_cholesky.F:130   "
          "*\n"),
      ENDING_UNCONVERGED,
      "Cholesky decomposition failed. Matrix ill conditioned ? "
      "fm/cp_fm_cholesky.F:130" },
    { NULL, STARTED " DBCSR| CPU Multiplication driver\n", ENDING_UNKNOWN, "" },
    { NULL, "There are not enough slots available in the system\n",
      ENDING_SILENT, "" },
    { NULL, "", ENDING_SILENT, "" },
};

static void test_cp2k (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cp2k_cases); i++) {
        struct strbuf text = STRBUF_INIT, message = STRBUF_INIT;
        enum ending ending;

        if (cp2k_cases[i].fixture)
            fixture_read (cp2k_cases[i].fixture, &text);
        else
            strbuf_add_str (&text, cp2k_cases[i].printed);
        ending = code_judge (&cp2k_code, text.buf, true, &message);
        if (ending != cp2k_cases[i].ending)
            fail_msg ("case %zu is %d", i, (int)ending);
        assert_string_equal (message.buf, cp2k_cases[i].message);
        strbuf_release (&message);
        strbuf_release (&text);
    }
}

#define BANNER "                              ABACUS v3.5.4\n\n"
#define RULE " !!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!\n"
#define DASHES " ---------------------------------------------------------\n"
#define NOTICE "                         NOTICE                           \n"

/* In the layouts of its source: 2.x to 3.8, 3.9, 3.11. */
static const struct {
    const char *printed;
    enum ending ending;
    const char *message;
} abacus_cases[] = {
    { BANNER " \n" RULE NOTICE RULE " \n Error during readin parameters.\n"
             " CHECK IN FILE : warning.log\n \n" RULE NOTICE RULE,
      ENDING_MISTAKE, "NOTICE Error during readin parameters." },
    { BANNER "\n" RULE NOTICE RULE "\n THE PARAMETER NAME 'x' IS NOT USED!\n"
             " CHECK IN FILE : OUT.fanfold/warning.log\n\n",
      ENDING_MISTAKE, "NOTICE THE PARAMETER NAME 'x' IS NOT USED" },
    { BANNER
      " \n" DASHES
      "                         !ERROR!                          \n" DASHES
      " \n Can not find the file: Si.upf\n \n CHECK IN FILE : x\n",
      ENDING_MISTAKE, "ERROR Can not find the file: Si.upf" },
    { BANNER RULE " ERROR! some cores failed\n", ENDING_MISTAKE,
      "ERROR! some cores failed" },
    { BANNER " !! convergence has not been achieved @_@\n", ENDING_UNCONVERGED,
      "SCF not converged" },
    { BANNER " !!SCF IS NOT CONVERGED!!\n", ENDING_UNCONVERGED,
      "SCF not converged" },
    { BANNER " ITER   ETOT(eV)       EDIFF(eV)\n", ENDING_UNKNOWN, "" },
    { "abacus: error while loading shared libraries\n", ENDING_SILENT, "" },
};

static void test_abacus (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (abacus_cases); i++) {
        struct strbuf message = STRBUF_INIT;
        enum ending ending =
            code_judge (&abacus_code, abacus_cases[i].printed, true, &message);

        if (ending != abacus_cases[i].ending)
            fail_msg ("case %zu is %d: %s", i, (int)ending, message.buf);
        assert_string_equal (message.buf, abacus_cases[i].message);
        strbuf_release (&message);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_cp2k),
        cmocka_unit_test (test_abacus),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
