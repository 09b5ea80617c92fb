/* SPDX-License-Identifier: BSD-3-Clause */
/* test_visible_devices.c - which devices this process was given, and how a
 * program is told of some of them
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "node_scene.h"
#include "placement/visible_devices.h"

/* Four NVIDIA devices, two of AMD, beside two NUMA nodes. */
static void make_node (struct node_scene *scene)
{
    static const char *const vendors[] = { "10de", "10de", "10de",
                                           "10de", "1002", "1002" };

    *scene = (struct node_scene){ 0 };
    scene_add_cores (scene, 2, 4, 4, 1, 0);
    for (int i = 0; i < 6; i++) {
        struct node_gpu *gpu;

        scene_add_gpu (scene, i % 2, i % 2);
        gpu = &scene->shape.gpus[i];
        memcpy (gpu->vendor, vendors[i], 4);
        free (gpu->uuid);
        gpu->uuid = xasprintf ("GPU-%d%d%d%d", i, i, i, i);
    }
    scene->shape.links = xcalloc (36, sizeof (double));
    for (int i = 0; i < 36; i++)
        scene->shape.links[i] = i;
}

/* "00/0 02/0 MIG-x/01": the bus of each device, and the NUMA nodes it is
 * beside.
 */
static char *devices_text (const struct node_shape *shape)
{
    struct strbuf text = STRBUF_INIT;

    for (size_t i = 0; i < shape->n_gpus; i++) {
        const struct node_gpu *gpu = &shape->gpus[i];
        bool pci = strncmp (gpu->address, "0000:", 5) == 0;

        strbuf_addf (&text, "%s%.*s/", i > 0 ? " " : "", pci ? 2 : 40,
                     gpu->address + (pci ? 5 : 0));
        for (int j = 0; j < 2; j++) {
            if (hwloc_bitmap_intersects (gpu->near,
                                         shape->cores[4 * j].threads))
                strbuf_addf (&text, "%d", j);
        }
    }
    return strbuf_detach (&text);
}

static const struct {
    const char *what;
    char *environment[5];
    const char *devices;
    int task[3]; /* devices of a task; -1: no more */
    const char *env;
} cases[] = {
    { "nothing is said: by vendor and PCI address",
      { NULL },
      "00/0 01/1 02/0 03/1 04/0 05/1",
      { 1, 3, -1 },
      "CUDA_VISIBLE_DEVICES=1,3 ROCR_VISIBLE_DEVICES= "
      "CUDA_DEVICE_ORDER=PCI_BUS_ID" },
    { "... of the other vendor",
      { NULL },
      "00/0 01/1 02/0 03/1 04/0 05/1",
      { 5, -1 },
      "CUDA_VISIBLE_DEVICES= ROCR_VISIBLE_DEVICES=1 "
      "CUDA_DEVICE_ORDER=PCI_BUS_ID" },
    { "a task without devices sees none",
      { NULL },
      "00/0 01/1 02/0 03/1 04/0 05/1",
      { -1 },
      "CUDA_VISIBLE_DEVICES= ROCR_VISIBLE_DEVICES= "
      "CUDA_DEVICE_ORDER=PCI_BUS_ID" },
    { "numbers",
      { "CUDA_VISIBLE_DEVICES=3,1" },
      "03/1 01/1",
      { 1, -1 },
      "CUDA_VISIBLE_DEVICES=1 CUDA_DEVICE_ORDER=PCI_BUS_ID" },
    { "one that is named twice is one device",
      { "CUDA_VISIBLE_DEVICES=3,1,3,GPU-2222,GPU-2222" },
      "03/1 01/1 02/0",
      { 0, 2, -1 },
      "CUDA_VISIBLE_DEVICES=3,GPU-2222 CUDA_DEVICE_ORDER=PCI_BUS_ID" },
    { "numbers within a cgroup, and those of the node",
      { "CUDA_VISIBLE_DEVICES=0,1", "FANFOLD_NODE_GPUS=2,3" },
      "02/0 03/1",
      { 0, -1 },
      "CUDA_VISIBLE_DEVICES=0 FANFOLD_NODE_GPUS=2 "
      "CUDA_DEVICE_ORDER=PCI_BUS_ID" },
    { "... of another number of devices: not about these",
      { "CUDA_VISIBLE_DEVICES=0,1", "FANFOLD_NODE_GPUS=2" },
      "00/0 01/1",
      { 0, 1, -1 },
      "CUDA_VISIBLE_DEVICES=0,1 CUDA_DEVICE_ORDER=PCI_BUS_ID" },
    { "UUIDs, one cut short",
      { "CUDA_VISIBLE_DEVICES=GPU-2222,GPU-0" },
      "02/0 00/0",
      { 0, -1 },
      "CUDA_VISIBLE_DEVICES=GPU-2222 CUDA_DEVICE_ORDER=PCI_BUS_ID" },
    { "partitions, as they are",
      { "CUDA_VISIBLE_DEVICES=MIG-41a,MIG-41b" },
      "MIG-41a/01 MIG-41b/01",
      { 1, -1 },
      "CUDA_VISIBLE_DEVICES=MIG-41b CUDA_DEVICE_ORDER=PCI_BUS_ID" },
    { "what follows no device does not count",
      { "CUDA_VISIBLE_DEVICES=1,-1,2" },
      "01/1",
      { 0, -1 },
      "CUDA_VISIBLE_DEVICES=1 CUDA_DEVICE_ORDER=PCI_BUS_ID" },
    { "none, as a scheduler says it",
      { "CUDA_VISIBLE_DEVICES=NoDevFiles" },
      "",
      { -1 },
      "CUDA_VISIBLE_DEVICES= CUDA_DEVICE_ORDER=PCI_BUS_ID" },
    { "AMD, of all that ROCm has",
      { "ROCR_VISIBLE_DEVICES=1,0", "HIP_VISIBLE_DEVICES=0,1" },
      "05/1 04/0",
      { 1, -1 },
      "ROCR_VISIBLE_DEVICES=0 HIP_VISIBLE_DEVICES=0" },
    { "HIP alone",
      { "HIP_VISIBLE_DEVICES=4,5" },
      "04/0 05/1",
      { 1, -1 },
      "HIP_VISIBLE_DEVICES=5" },
    { "tiles",
      { "ZE_AFFINITY_MASK=0.0,0.1" },
      "0.0/01 0.1/01",
      { 1, -1 },
      "ZE_AFFINITY_MASK=0.1" },
};

static void test_devices (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct node_scene scene;
        struct strvec env = STRVEC_INIT;
        struct strbuf joined = STRBUF_INIT;
        size_t n = 0;
        char *text;

        print_message ("# %s\n", cases[i].what);
        make_node (&scene);
        visible_devices_apply (cases[i].environment, &scene.shape);
        text = devices_text (&scene.shape);
        assert_string_equal (text, cases[i].devices);
        while (cases[i].task[n] >= 0)
            n++;
        visible_devices_env (cases[i].environment, &scene.shape, cases[i].task,
                             n, &env);
        for (size_t k = 0; k < env.n; k++)
            strbuf_addf (&joined, "%s%s", k > 0 ? " " : "", env.v[k]);
        assert_string_equal (joined.buf, cases[i].env);
        strbuf_release (&joined);
        strvec_release (&env);
        free (text);
        scene_release (&scene);
    }
}

static void test_links_go_along (void **state)
{
    static char *const environment[] = { "CUDA_VISIBLE_DEVICES=3,1", NULL };
    static char *const unknown[] = { "CUDA_VISIBLE_DEVICES=3,MIG-1", NULL };
    struct node_scene scene;

    (void)state;
    make_node (&scene);
    visible_devices_apply (environment, &scene.shape);
    assert_true (scene.shape.links[1] == 3 * 6 + 1);
    assert_true (scene.shape.links[2] == 1 * 6 + 3);
    scene_release (&scene);
    make_node (&scene);
    visible_devices_apply (unknown, &scene.shape);
    assert_null (scene.shape.links);
    scene_release (&scene);
}

static void test_no_devices_at_all (void **state)
{
    static char *const environment[] = { "HOME=/", NULL };
    struct strvec env = STRVEC_INIT;
    struct node_scene scene = { 0 };

    (void)state;
    scene_add_cores (&scene, 1, 4, 4, 1, 0);
    visible_devices_apply (environment, &scene.shape);
    visible_devices_env (environment, &scene.shape, NULL, 0, &env);
    assert_int_equal (env.n, 0);
    strvec_release (&env);
    scene_release (&scene);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_devices),
        cmocka_unit_test (test_links_go_along),
        cmocka_unit_test (test_no_devices_at_all),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
