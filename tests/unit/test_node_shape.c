/* SPDX-License-Identifier: BSD-3-Clause */
/* test_node_shape.c - what a node has, from files, from text, from numbers */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "fixture.h"
#include "placement/node_shape.h"
#include "placement/topology_file.h"

/* The shape that a file with this text has. */
static void shape_of_xml (const char *xml, struct node_shape *shape)
{
    char path[] = "/tmp/fanfold-shape.XXXXXX";
    struct error err = ERROR_INIT;
    int fd = mkstemp (path);

    assert_true (fd >= 0);
    assert_int_equal (file_write_all (fd, xml, strlen (xml), NULL), 0);
    close (fd);
    if (node_shape_from_xml (path, shape, &err) < 0)
        fail_msg ("%s", err.text);
    unlink (path);
}

/* "0000:02:00.0 10de n0; ..." */
static char *gpus_text (const struct node_shape *shape)
{
    struct json *v = node_shape_json (shape);
    const struct json *gpus = json_get (v, "gpus");
    struct strbuf text = STRBUF_INIT;

    for (size_t i = 0; i < json_count (gpus); i++) {
        const struct json *gpu = json_at (gpus, i);
        const struct json *numa = json_get (gpu, "numa");

        strbuf_addf (&text, "%s%s %s n", i > 0 ? "; " : "",
                     json_get_string (gpu, "address"),
                     json_get_string (gpu, "vendor"));
        for (size_t k = 0; k < json_count (numa); k++)
            strbuf_addf (&text, "%s%d", k > 0 ? "," : "",
                         (int)json_as_int (json_at (numa, k)));
    }
    json_unref (v);
    return strbuf_detach (&text);
}

static void load (const char *name, struct node_shape *shape)
{
    struct error err = ERROR_INIT;
    char *path = fixture_path (name);

    if (node_shape_from_xml (path, shape, &err) < 0)
        fail_msg ("%s", err.text);
    assert_false (shape->here);
    free (path);
}

/* A GPU of which only PCI tells, beside a display adapter that is none; one of
 * three partitions; one of two tiles.
 */
static void test_devices (void **state)
{
    struct node_shape shape;
    char *text;

    (void)state;
    load ("hwloc/mixed-devices.xml", &shape);
    text = gpus_text (&shape);
    assert_string_equal (text,
                         "0000:02:00.0 10de n0; 0000:81:00.0/0 1002 n1; "
                         "0000:81:00.0/1 1002 n1; 0000:81:00.0/2 1002 n1; "
                         "0000:82:00.0/0 8086 n1; 0000:82:00.0/1 8086 n1");
    assert_string_equal (shape.gpus[1].model, "RSMI model");
    assert_int_equal (shape.n_nics, 1);
    assert_string_equal (shape.nics[0].name, "ib0");
    assert_string_equal (shape.nics[0].address, "0000:03:00.0");
    /* a link between the first two partitions that is twice as fast */
    assert_true (shape.links[1 * 6 + 2] == 200000);
    assert_true (shape.links[1 * 6 + 3] == 100000);
    assert_true (shape.links[0 * 6 + 1] == 0);
    free (text);
    node_shape_release (&shape);
}

static void test_one_gpu_of_several_components (void **state)
{
    struct node_shape shape;
    char *text;

    (void)state;
    load ("hwloc/8-gpus.xml", &shape);
    text = gpus_text (&shape);
    assert_string_equal (text, "0000:11:00.0 10de n0; 0000:21:00.0 10de n0; "
                               "0000:31:00.0 10de n0; 0000:41:00.0 10de n0; "
                               "0000:51:00.0 10de n1; 0000:61:00.0 10de n1; "
                               "0000:71:00.0 10de n1; 0000:81:00.0 10de n1");
    free (text);
    node_shape_release (&shape);
}

static void test_cores_and_memory (void **state)
{
    static const struct {
        const char *text;
        const char *json;
    } cases[] = {
        { "package:1 core:2 pu:2",
          "{\"cores\":2,\"l3_caches\":0,\"memory_bytes\":1073741824,\"numa\":[{"
          "\"numa\":0,"
          "\"cores\":2,\"cpus\":\"0-3\",\"memory_bytes\":1073741824}],"
          "\"gpus\":[],\"nics\":[]}" },
        /* memory of its own kind beside that of the cores */
        { "package:2 [numa(memory=1073741824)] [numa(memory=2147483648)] "
          "core:1 pu:1",
          "{\"cores\":2,\"l3_caches\":0,\"memory_bytes\":2147483648,\"numa\":[{"
          "\"numa\":0,"
          "\"cores\":1,\"cpus\":\"0\",\"memory_bytes\":1073741824},{\"numa\":1,"
          "\"cores\":0,\"cpus\":\"\",\"memory_bytes\":2147483648},{\"numa\":2,"
          "\"cores\":1,\"cpus\":\"1\",\"memory_bytes\":1073741824},{\"numa\":3,"
          "\"cores\":0,\"cpus\":\"\",\"memory_bytes\":2147483648}],"
          "\"gpus\":[],\"nics\":[]}" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct node_shape shape;
        struct strbuf text = STRBUF_INIT;
        struct json *v;

        assert_int_equal (
            node_shape_from_synthetic (cases[i].text, &shape, NULL), 0);
        v = node_shape_json (&shape);
        json_dump (v, JSON_COMPACT, &text);
        assert_string_equal (text.buf, cases[i].json);
        json_unref (v);
        strbuf_release (&text);
        node_shape_release (&shape);
    }
}

static void test_numbers (void **state)
{
    struct node_shape shape;
    char *text;

    (void)state;
    node_shape_from_numbers (4, 2, 1 << 20, &shape);
    assert_int_equal (shape.n_cores, 4);
    assert_int_equal (shape.numas[0].cores, 4);
    assert_int_equal (shape.memory_bytes, 1 << 20);
    text = gpus_text (&shape);
    assert_string_equal (text, "  n0;   n0");
    free (text);
    node_shape_release (&shape);
    node_shape_release (&shape);
}

static void test_this_node (void **state)
{
    struct node_shape shape;

    (void)state;
    /* libraries of drivers, which looking for devices loads, may leak */
    assert_int_equal (node_shape_of_this_node (false, &shape, NULL), 0);
    assert_int_equal (shape.n_gpus, 0);
    assert_true (shape.here);
    assert_true (shape.n_cores >= 1);
    node_shape_release (&shape);
}

static void test_differences (void **state)
{
    static const struct {
        struct node_size recorded, here;
        const char *text;
    } cases[] = {
        { { 64, 4, 8 }, { 64, 4, 8 }, "" },
        { { 64, 4, 8 }, { 64, 4, -1 }, "" },
        { { 64, 4, 8 }, { 32, 4, 8 }, "cores: 32 in place of 64" },
        { { 64, 4, 8 },
          { 64, 1, 7 },
          "NUMA nodes: 1 in place of 4, GPUs: 7 in place of 8" },
        { { 64, 4, 0 }, { 64, 4, 1 }, "GPUs: 1 in place of 0" },
    };
    struct node_shape shape;

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct strbuf text = STRBUF_INIT;

        node_size_differences (&cases[i].recorded, &cases[i].here, &text);
        assert_string_equal (text.buf, cases[i].text);
        strbuf_release (&text);
    }
    node_shape_from_synthetic ("package:2 numa:2 core:4 pu:2", &shape, NULL);
    assert_int_equal (node_size_of (&shape).cores, 16);
    assert_int_equal (node_size_of (&shape).numas, 4);
    assert_int_equal (node_size_of (&shape).gpus, 0);
    node_shape_release (&shape);
}

/* What is shared places tasks as the file itself does, and names no machine. */
static void test_shared (void **state)
{
    static const char *const names[] = { "HostName",   "NVIDIAUUID",
                                         "GPU-",       "Serial",
                                         "DMI",        "OSRelease",
                                         "\"Address\"" };
    struct strbuf xml = STRBUF_INIT, shared = STRBUF_INIT;
    struct node_shape shape, back;
    char *gpus, *gpus_back;

    (void)state;
    fixture_read ("hwloc/8-gpus.xml", &xml);
    assert_non_null (strstr (xml.buf, "NVIDIAUUID"));
    topology_without_names (xml.buf, &shared);
    for (size_t i = 0; i < ARRAY_SIZE (names); i++)
        assert_null (strstr (shared.buf, names[i]));
    shape_of_xml (xml.buf, &shape);
    shape_of_xml (shared.buf, &back);
    gpus = gpus_text (&shape);
    gpus_back = gpus_text (&back);
    assert_string_equal (gpus, gpus_back);
    assert_int_equal (back.n_gpus, 8);
    assert_string_equal (back.gpus[0].model, shape.gpus[0].model);
    assert_string_equal (back.gpus[0].uuid, "");
    assert_int_equal (back.n_cores, shape.n_cores);
    free (gpus);
    free (gpus_back);
    node_shape_release (&shape);
    node_shape_release (&back);
    strbuf_release (&xml);
    strbuf_release (&shared);
}

/* This node's own: what is read of it is what it is. */
static void test_file_of_this_node (void **state)
{
    struct strbuf xml = STRBUF_INIT, shared = STRBUF_INIT;
    struct node_shape here, back;
    int cores, of_cores;

    (void)state;
    /* libraries of drivers, which looking for devices loads, may leak */
    setenv ("HWLOC_COMPONENTS", "-pci,-opencl,-cuda,-nvml,-rsmi,-levelzero,-gl",
            1);
    assert_int_equal (topology_of_this_node (&xml, &cores, &of_cores, NULL), 0);
    shape_of_xml (xml.buf, &back);
    assert_int_equal (node_shape_of_this_node (false, &here, NULL), 0);
    assert_int_equal (back.n_cores, here.n_cores);
    assert_int_equal (cores, here.n_cores);
    assert_true (of_cores >= cores);
    assert_int_equal (back.memory_bytes, here.memory_bytes);
    assert_false (back.here);
    assert_non_null (strstr (xml.buf, "\"HostName\""));
    topology_without_names (xml.buf, &shared);
    assert_null (strstr (shared.buf, "\"HostName\""));
    assert_non_null (strstr (shared.buf, "</topology>"));
    strbuf_release (&shared);
    node_shape_release (&here);
    node_shape_release (&back);
    strbuf_release (&xml);
    unsetenv ("HWLOC_COMPONENTS");
}

static void test_not_a_topology (void **state)
{
    struct node_shape shape = { .n_cores = 7 };
    struct error err = ERROR_INIT;
    char *path;

    (void)state;
    assert_int_equal (node_shape_from_xml ("/no/such/file", &shape, &err), -1);
    assert_non_null (strstr (err.text, "/no/such/file: not a topology"));
    path = fixture_path ("lammps/final.data");
    assert_int_equal (node_shape_from_xml (path, &shape, &err), -1);
    free (path);
    assert_int_equal (node_shape_from_synthetic ("cores: 4", &shape, &err), -1);
    assert_non_null (strstr (err.text, "'cores: 4' is not a topology"));
    assert_int_equal (shape.n_cores, 7);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_devices),
        cmocka_unit_test (test_one_gpu_of_several_components),
        cmocka_unit_test (test_cores_and_memory),
        cmocka_unit_test (test_numbers),
        cmocka_unit_test (test_this_node),
        cmocka_unit_test (test_differences),
        cmocka_unit_test (test_shared),
        cmocka_unit_test (test_file_of_this_node),
        cmocka_unit_test (test_not_a_topology),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
