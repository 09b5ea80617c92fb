/* SPDX-License-Identifier: BSD-3-Clause */
/* test_slots.c - machines, real, recorded and made up, cut into slots */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "fixture.h"
#include "placement/slots.h"
#include "temp_dir.h"

#define GIB ((int64_t)1 << 30)

/* "0-1 2-3": the slots' CPUs, one after the other. */
static void expect_slots (int cores, int at_most, const char *expected)
{
    struct slots slots = SLOTS_INIT;
    struct strbuf text = STRBUF_INIT;

    assert_int_equal (
        slots_cut (&(struct element_wish){ .tasks = { .tasks = at_most,
                                                      .cores = cores } },
                   &slots, NULL),
        0);
    for (size_t i = 0; i < slots.n; i++) {
        assert_null (slots.v[i].set); /* not this machine */
        strbuf_addf (&text, "%s%s", i > 0 ? " " : "", slots.v[i].cpus);
    }
    assert_string_equal (text.buf, expected);
    strbuf_release (&text);
    slots_release (&slots);
    slots_release (&slots);
}

static void test_synthetic_machines (void **state)
{
    static const struct {
        const char *machine;
        int cores, at_most;
        const char *slots;
    } cases[] = {
        { "core:4 pu:1", 1, 0, "0 1 2 3" },
        { "core:4 pu:1", 2, 0, "0-1 2-3" },
        { "core:4 pu:1", 3, 0, "0-2" },
        { "core:4 pu:1", 4, 1, "0-3" },
        { "core:4 pu:1", 2, 4, "0-1 2-3" },
        /* more was given than asked: it may belong to others */
        { "core:4 pu:1", 1, 2, " " },
        /* less was given than one task wants */
        { "core:4 pu:1", 8, 1, "0-3" },
        /* hardware threads stay with their core */
        { "pack:2 core:2 pu:2", 1, 0, "0-1 2-3 4-5 6-7" },
        { "pack:2 core:2 pu:2", 2, 2, "0-3 4-7" },
        /* threads numbered core by core, then again */
        { "pack:2 core:2 pu:2(indexes=0,4,1,5,2,6,3,7)", 1, 0,
          "0,4 1,5 2,6 3,7" },
        /* numbers that alternate between the packages */
        { "pack:2 core:4 pu:1(indexes=0,2,4,6,1,3,5,7)", 4, 0,
          "0,2,4,6 1,3,5,7" },
        { "pack:2 die:2 l3:2 core:8 pu:1", 32, 0, "0-31 32-63" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        print_message ("# %s / %d\n", cases[i].machine, cases[i].cores);
        setenv ("HWLOC_SYNTHETIC", cases[i].machine, 1);
        expect_slots (cases[i].cores, cases[i].at_most, cases[i].slots);
    }
}

/* Slots of tasks that run at once, of two groups. */
static void test_together (void **state)
{
    static const struct {
        const char *machine;
        int tasks[2], cores[2], asked;
        const char *slots;
    } cases[] = {
        { "core:4 pu:1", { 1, 2 }, { 2, 1 }, 4, "0-1 2 3 " },
        { "core:4 pu:1", { 1, 1 }, { 2, 1 }, 4, "0-1 2 " },
        { "core:4 pu:1", { 4, 0 }, { 1, 1 }, 4, "0 1 2 3 " },
        /* more was given than asked */
        { "core:4 pu:1", { 1, 1 }, { 1, 1 }, 2, "  " },
        /* fewer than they need: they share them */
        { "core:2 pu:1", { 1, 3 }, { 2, 1 }, 5, "    " },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        const struct cut_group wanted[] = {
            { { .tasks = cases[i].tasks[0], .cores = cases[i].cores[0] }, 1 },
            { { .tasks = cases[i].tasks[1], .cores = cases[i].cores[1] }, 1 },
        };
        struct slots slots = SLOTS_INIT;
        struct strbuf text = STRBUF_INIT;

        setenv ("HWLOC_SYNTHETIC", cases[i].machine, 1);
        assert_int_equal (
            slots_cut_together (wanted, wanted[1].tasks.tasks > 0 ? 2 : 1,
                                cases[i].asked, true, &slots, NULL),
            0);
        for (size_t k = 0; k < slots.n; k++)
            strbuf_addf (&text, "%s ", slots.v[k].cpus);
        assert_string_equal (text.buf, cases[i].slots);
        strbuf_release (&text);
        slots_release (&slots);
    }
}

/* Three of 1/2, one of 2 cores, one of 1/2, two of 1/3. */
static void test_shared_cores (void **state)
{
    const struct cut_group wanted[] = {
        { { .tasks = 3, .cores = 1 }, 2 },
        { { .tasks = 1, .cores = 2 }, 0 },
        { { .tasks = 1, .cores = 1 }, 2 },
        { { .tasks = 2, .cores = 1 }, 3 },
    };
    static const size_t apart[] = { 0, 2, 3, 5 };
    struct slots slots = SLOTS_INIT;
    const char *cpus[7];

    (void)state;
    setenv ("HWLOC_SYNTHETIC", "core:5 pu:1", 1);
    assert_int_equal (slots_cut_together (wanted, 4, 5, true, &slots, NULL), 0);
    assert_int_equal (slots.n, 7);
    for (size_t i = 0; i < 7; i++)
        cpus[i] = slots.v[i].cpus;
    assert_string_equal (cpus[0], cpus[1]);
    assert_string_equal (cpus[2], cpus[4]);
    assert_string_equal (cpus[5], cpus[6]);
    for (size_t i = 0; i < ARRAY_SIZE (apart); i++) {
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal (cpus[apart[i]], cpus[apart[k]]);
    }
    assert_int_equal (strlen (cpus[3]), strlen ("0-1"));
    slots_release (&slots);

    /* as on a machine of four: they share it */
    setenv ("HWLOC_SYNTHETIC", "core:4 pu:1", 1);
    assert_int_equal (slots_cut_together (wanted, 4, 5, true, &slots, NULL), 0);
    for (size_t i = 0; i < 7; i++)
        assert_string_equal (slots.v[i].cpus, "");
    slots_release (&slots);
}

/* Recorded: two packages of six cores, two threads each, numbered cpu by cpu
 * over the packages.
 */
static void test_recorded_machine (void **state)
{
    const char *srcdir = getenv ("srcdir");
    char *path =
        path_join (srcdir ? srcdir : ".",
                   "tests/fixtures/hwloc/2-packages-6-cores-2-pus.xml");
    int cores, reserved;
    int64_t memory_bytes;

    (void)state;
    setenv ("HWLOC_XMLFILE", path, 1);
    assert_int_equal (granted_cores (&(struct place_rules){ 0 }, &cores,
                                     &reserved, &memory_bytes, NULL),
                      0);
    assert_int_equal (cores, 12);
    assert_true (memory_bytes > 0);
    expect_slots (
        6, 2, "0,2,4,6,8,10,12,14,16,18,20,22 1,3,5,7,9,11,13,15,17,19,21,23");
    expect_slots (
        3, 4, "0,2,4,12,14,16 6,8,10,18,20,22 1,3,5,13,15,17 7,9,11,19,21,23");
    free (path);
}

/* --- devices, on a recorded node with eight --- */

static int cut_with_gpus (const char *visible, int gpus, struct slots *slots,
                          struct error *err)
{
    const struct element_wish wish = {
        .tasks = { .tasks = 2, .cores = 16, .gpus = gpus }
    };
    char *path = fixture_path ("hwloc/8-gpus.xml");
    int rc;

    setenv ("HWLOC_XMLFILE", path, 1);
    if (visible)
        setenv ("CUDA_VISIBLE_DEVICES", visible, 1);
    else
        unsetenv ("CUDA_VISIBLE_DEVICES");
    rc = slots_cut (&wish, slots, err);
    unsetenv ("CUDA_VISIBLE_DEVICES");
    free (path);
    return rc;
}

static void test_devices (void **state)
{
    static const struct {
        const char *visible;
        int gpus;
        const char *given; /* of both slots */
        const char *env;   /* of the second */
    } cases[] = {
        { NULL, 1, "0000:11:00.0; 0000:51:00.0", "CUDA_VISIBLE_DEVICES=4" },
        { "5,0", 1, "0000:61:00.0; 0000:11:00.0", "CUDA_VISIBLE_DEVICES=0" },
        { "MIG-a,MIG-b", 1, "MIG-a; MIG-b", "CUDA_VISIBLE_DEVICES=MIG-b" },
        { "3,4", 0, "; ", "CUDA_VISIBLE_DEVICES=" },
        { "", 1, "; ", "CUDA_VISIBLE_DEVICES=" },
        { NULL, 0, "; ", "" },
        { "3,4", GPUS_LEFT_ALONE, "; ", "" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct slots slots = SLOTS_INIT;
        char *given;

        print_message ("# %s: %d\n",
                       cases[i].visible ? cases[i].visible : "none",
                       cases[i].gpus);
        assert_int_equal (
            cut_with_gpus (cases[i].visible, cases[i].gpus, &slots, NULL), 0);
        assert_int_equal (slots.n, 2);
        given = xasprintf ("%s; %s", slots.v[0].gpus, slots.v[1].gpus);
        assert_string_equal (given, cases[i].given);
        assert_string_equal (slots.v[1].env.n > 0 ? slots.v[1].env.v[0] : "",
                             cases[i].env);
        free (given);
        slots_release (&slots);
    }
}

/* What element two has while element one has 'first' devices; "": nothing. */
static char *gpus_beside (const char *visible, int first, int second)
{
    struct slots one = SLOTS_INIT, two = SLOTS_INIT;
    struct error err = ERROR_INIT;
    char *text;

    assert_int_equal (cut_with_gpus (visible, first, &one, NULL), 0);
    if (cut_with_gpus (visible, second, &two, &err) < 0)
        text = xstrdup (err.text);
    else
        text = xasprintf ("%s; %s", two.v[0].gpus, two.v[1].gpus);
    slots_release (&two);
    slots_release (&one);
    return text;
}

/* Two elements on a node at one time; devices are only counted there. */
static void test_devices_of_two_elements (void **state)
{
    static const struct {
        const char *visible;
        int first, second; /* GPUs of each of their two tasks */
        const char *others;
    } cases[] = {
        { NULL, 1, 1, "0000:21:00.0; 0000:61:00.0" },
        { NULL, 2, 1, "0000:51:00.0; 0000:61:00.0" },
        { NULL, 3, 2,
          "4 GPUs are needed and other jobs of yours on this node have too "
          "many of its 8" },
        { "5,0", 1, 1, "0000:61:00.0; 0000:11:00.0" }, /* told: ours */
    };
    struct slots slots = SLOTS_INIT;

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        char *text =
            gpus_beside (cases[i].visible, cases[i].first, cases[i].second);

        print_message ("# %zu: %s\n", i, text);
        assert_int_equal (
            strncmp (text, cases[i].others, strlen (cases[i].others)), 0);
        free (text);
    }
    /* all were given back */
    assert_int_equal (cut_with_gpus (NULL, 4, &slots, NULL), 0);
    assert_int_equal (slots.gpus.n, 8);
    slots_release (&slots);
}

static void test_too_few_devices (void **state)
{
    struct slots slots = { .cores = 4711 };
    struct error err = ERROR_INIT;

    (void)state;
    assert_int_equal (cut_with_gpus ("3", 2, &slots, &err), -1);
    assert_non_null (strstr (err.text, "a task needs 2 GPUs and this job was "
                                       "given 1 of this node"));
    assert_int_equal (slots.cores, 4711);
}

static void test_no_such_machine (void **state)
{
    struct slots slots = { .cores = 4711 };
    struct error err = ERROR_INIT;

    (void)state;
    setenv ("HWLOC_SYNTHETIC", "nonsense", 1);
    if (slots_cut (&(struct element_wish){ .tasks = { .cores = 1 } }, &slots,
                   &err)
        < 0) {
        assert_string_not_equal (err.text, "");
        assert_int_equal (slots.cores, 4711);
    } else { /* hwloc may fall back to this machine */
        slots_release (&slots);
    }
}

static int first_cpu (void)
{
    cpu_set_t set;
    int cpu = 0;

    assert_int_equal (sched_getaffinity (0, sizeof (set), &set), 0);
    while (!CPU_ISSET (cpu, &set))
        cpu++;
    return cpu;
}

/* In a child that may use one CPU only: one slot, bound to it. */
static void child_on_one_cpu (int cpu)
{
    struct slots slots = SLOTS_INIT;
    struct strbuf now = STRBUF_INIT;
    cpu_set_t set;
    char *expected = xasprintf ("%d", cpu);
    int cores, reserved;
    bool ok;

    CPU_ZERO (&set);
    CPU_SET (cpu, &set);
    ok = sched_setaffinity (0, sizeof (set), &set) == 0
         && granted_cores (&(struct place_rules){ 0 }, &cores, &reserved, NULL,
                           NULL)
                == 0
         && cores == 1
         && slots_cut (&(struct element_wish){ .tasks = { .cores = 1 } },
                       &slots, NULL)
                == 0
         && slots.n == 1 && strcmp (slots.v[0].cpus, expected) == 0
         && sched_setaffinity (0, slots.v[0].set_bytes, slots.v[0].set) == 0
         && cpu_list_of_process (0, &now) == 0
         && strcmp (now.buf, expected) == 0;
    slots_release (&slots);
    strbuf_release (&now);
    free (expected);
    _exit (ok ? 0 : 1);
}

static void test_this_machine (void **state)
{
    int cpu = first_cpu ();
    pid_t pid = fork ();
    int status;

    (void)state;
    if (pid == 0)
        child_on_one_cpu (cpu);
    assert_int_equal (waitpid (pid, &status, 0), pid);
    assert_int_equal (status, 0);
}

/* What the kernel gets is what is told: the mask has all of its words. */
static void test_memory_of_this_machine (void **state)
{
    const struct element_wish wish = { .tasks = { .cores = 1 },
                                       .rules = { .strict_memory = true } };
    struct slots slots = SLOTS_INIT;
    struct strbuf text = STRBUF_INIT;

    (void)state;
    assert_int_equal (slots_cut (&wish, &slots, NULL), 0);
    assert_true (slots.n > 0);
    assert_string_not_equal (slots.v[0].memory, "");
    cpu_list_format ((const cpu_set_t *)slots.v[0].memory_nodes,
                     slots.v[0].memory_bits / 8, &text);
    assert_string_equal (text.buf, slots.v[0].memory);
    assert_int_equal (slots.v[0].memory_bits % (8 * sizeof (unsigned long)), 0);
    strbuf_release (&text);
    slots_release (&slots);
}

static void test_cpu_lists (void **state)
{
    static const struct {
        const char *cpus; /* '1' for each CPU of the set */
        const char *text;
    } cases[] = {
        { "", "" },      { "1", "0" },        { "01", "1" },
        { "11", "0-1" }, { "1011", "0,2-3" }, { "0110011", "1-2,5-6" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct strbuf text = STRBUF_INIT;
        cpu_set_t set;

        CPU_ZERO (&set);
        for (size_t cpu = 0; cases[i].cpus[cpu]; cpu++) {
            if (cases[i].cpus[cpu] == '1')
                CPU_SET (cpu, &set);
        }
        cpu_list_format (&set, sizeof (set), &text);
        assert_string_equal (text.buf, cases[i].text);
        strbuf_release (&text);
    }
    assert_int_equal (
        cpu_list_of_process (1 << 30, &(struct strbuf)STRBUF_INIT), -1);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown (test_synthetic_machines, forget_machine),
        cmocka_unit_test_teardown (test_together, forget_machine),
        cmocka_unit_test_teardown (test_shared_cores, forget_machine),
        cmocka_unit_test_teardown (test_recorded_machine, forget_machine),
        cmocka_unit_test_teardown (test_devices, forget_machine),
        cmocka_unit_test_teardown (test_devices_of_two_elements,
                                   forget_machine),
        cmocka_unit_test_teardown (test_too_few_devices, forget_machine),
        cmocka_unit_test_teardown (test_no_such_machine, forget_machine),
        cmocka_unit_test_setup (test_this_machine, forget_machine),
        cmocka_unit_test_setup (test_memory_of_this_machine, forget_machine),
        cmocka_unit_test (test_cpu_lists),
    };
    char *dir;
    int failed;

    cmocka_set_message_output (CM_OUTPUT_TAP);
    dir = temp_dir_make (); /* for locks of devices */
    setenv ("FANFOLD_SPOOL", dir, 1);
    failed = cmocka_run_group_tests (tests, NULL, NULL);
    temp_dir_remove (dir);
    return failed;
}
