/* SPDX-License-Identifier: BSD-3-Clause */
/* test_operators_lammps_ending.c - explosions, mistakes and failed starts */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "operators/lammps/lammps.h"

#define BANNER "LAMMPS (29 Sep 2021 - Update 2)\n"

/* Error lines of LAMMPS 29 Sep 2021, as it printed them or as they stand in
 * its sources.
 */
static const struct {
    const char *printed;
    enum ending ending;
    const char *message;
} cases[] = {
    { BANNER "Step Temp \n"
             "ERROR: Lost atoms: original 64 current 62 (src/thermo.cpp:439)\n"
             "Last command: run 400\n",
      ENDING_DIVERGED,
      "ERROR: Lost atoms: original 64 current 62 (src/thermo.cpp:439); "
      "Last command: run 400" },
    { BANNER "ERROR: Unrecognized pair style 'snap' is part of the ML-SNAP "
             "package which is not enabled in this LAMMPS binary. "
             "(src/force.cpp:278)\nLast command: pair_style snap\n",
      ENDING_MISTAKE,
      "ERROR: Unrecognized pair style 'snap' is part of the ML-SNAP package "
      "which is not enabled in this LAMMPS binary. (src/force.cpp:278); "
      "Last command: pair_style snap" },
    { BANNER "ERROR: Unrecognized pair style 'deepmd' (src/force.cpp:275)\n"
             "Last command: pair_style deepmd potential_0.pth\n",
      ENDING_MISTAKE,
      "this LAMMPS has no pair_style deepmd; let env of the profile set "
      "LAMMPS_PLUGIN_PATH to the lib/deepmd_lmp of DeePMD-kit, or name another "
      "LAMMPS, lammps: [PROGRAM]; Last command: pair_style deepmd "
      "potential_0.pth" },
    { BANNER "ERROR on proc 3: Non-numeric atom coords - simulation unstable "
             "(src/domain.cpp:548)\n",
      ENDING_DIVERGED,
      "ERROR on proc 3: Non-numeric atom coords - simulation unstable "
      "(src/domain.cpp:548)" },
    { BANNER "ERROR on proc 0: Bond atoms 12 13 missing on proc 0 at step 20\n",
      ENDING_DIVERGED,
      "ERROR on proc 0: Bond atoms 12 13 missing on proc 0 at step 20" },
    { BANNER "ERROR on proc 0: Neighbor list overflow, boost neigh_modify one "
             "(src/npair_full_bin.cpp:118)\r\n",
      ENDING_DIVERGED,
      "ERROR on proc 0: Neighbor list overflow, boost neigh_modify one "
      "(src/npair_full_bin.cpp:118)" },
    { BANNER "ERROR on proc 1: Out of range atoms - cannot compute PPPM\n",
      ENDING_DIVERGED,
      "ERROR on proc 1: Out of range atoms - cannot compute PPPM" },
    { BANNER "ERROR: Non-numeric pressure - simulation unstable\n",
      ENDING_DIVERGED, "ERROR: Non-numeric pressure - simulation unstable" },
    { BANNER "ERROR: KIM ModelCreate failed (src/KIM/kim_init.cpp:130)\n"
             "Last command: pair_style kim potential_0",
      ENDING_MISTAKE,
      "ERROR: KIM ModelCreate failed (src/KIM/kim_init.cpp:130); "
      "Last command: pair_style kim potential_0" },
    { BANNER "ERROR on proc 0: DeePMD-kit C API Error: DeePMD-kit Error: "
             "Failed to open file: gX.pth\n",
      ENDING_MISTAKE,
      "ERROR on proc 0: DeePMD-kit C API Error: DeePMD-kit Error: Failed to "
      "open file: gX.pth" },
    /* of the node, and another try may help */
    { BANNER "ERROR on proc 0: DeePMD-kit C API Error: DeePMD-kit Error: "
             "CUDA out of memory. Tried to allocate 2.00 GiB\n",
      ENDING_PASSING,
      "ERROR on proc 0: DeePMD-kit C API Error: DeePMD-kit Error: CUDA out of "
      "memory. Tried to allocate 2.00 GiB" },
    { BANNER "ERROR on proc 0: DeePMD-kit C API Error: DeePMD-kit Error: "
             "TensorFlow Error: RESOURCE_EXHAUSTED: OOM when allocating\n",
      ENDING_PASSING,
      "ERROR on proc 0: DeePMD-kit C API Error: DeePMD-kit Error: TensorFlow "
      "Error: RESOURCE_EXHAUSTED: OOM when allocating" },
    { BANNER "ERROR on proc 1: DeePMD-kit Error: CUDA error: an illegal\n",
      ENDING_PASSING,
      "ERROR on proc 1: DeePMD-kit Error: CUDA error: an illegal" },
    { BANNER "ERROR on proc 0: Failed to allocate 8000000000 bytes for array "
             "atom:x (src/memory.cpp:66)\n",
      ENDING_PASSING,
      "ERROR on proc 0: Failed to allocate 8000000000 bytes for array atom:x "
      "(src/memory.cpp:66)" },
    { BANNER "ERROR: Substitution for illegal variable (src/input.cpp:533)\n",
      ENDING_MISTAKE,
      "ERROR: Substitution for illegal variable (src/input.cpp:533)" },
    { BANNER "ERROR on proc 0: Variable b: Divide by 0 in variable formula\n",
      ENDING_MISTAKE,
      "ERROR on proc 0: Variable b: Divide by 0 in variable formula" },
    /* not at the start of a line: what somebody printed */
    { BANNER "no ERROR: here\n", ENDING_UNKNOWN, "" },
    { BANNER, ENDING_UNKNOWN, "" },
    { "", ENDING_SILENT, "" },
    { "\n", ENDING_SILENT, "" },
    { "A call to mkdir was unable to create the desired directory:\n",
      ENDING_SILENT, "" },
};

static void test_endings (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct strbuf message = STRBUF_INIT;
        enum ending ending =
            code_judge (&lammps_code, cases[i].printed, true, &message);

        if (ending != cases[i].ending)
            fail_msg ("'%s' is %d", cases[i].printed, (int)ending);
        assert_string_equal (message.buf, cases[i].message);
        strbuf_release (&message);
    }
}

/* The banner of a long output is not in its tail. */
static void test_tail_of_a_long_output (void **state)
{
    static const char tail[] = "  1200  300.1\n  1300  299.7\n";
    struct strbuf message = STRBUF_INIT;

    (void)state;
    assert_int_equal (code_judge (&lammps_code, tail, false, &message),
                      ENDING_UNKNOWN);
    assert_int_equal (code_judge (&lammps_code, tail, true, &message),
                      ENDING_SILENT);
    assert_string_equal (message.buf, "");
    strbuf_release (&message);
}

/* Wherever a text is cut, what is left of it is read. */
static void test_every_cut (void **state)
{
    char printed[] = BANNER "ERROR: Lost atoms\nLast command: run 400\n";

    (void)state;
    for (size_t len = sizeof (printed) - 1; len > 0; len--) {
        struct strbuf message = STRBUF_INIT;

        printed[len - 1] = '\0';
        code_judge (&lammps_code, printed, true, &message);
        assert_true (message.len <= len);
        strbuf_release (&message);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_endings),
        cmocka_unit_test (test_tail_of_a_long_output),
        cmocka_unit_test (test_every_cut),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
