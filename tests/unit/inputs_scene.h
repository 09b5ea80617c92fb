/* SPDX-License-Identifier: BSD-3-Clause */
/* inputs_scene.h - three iterations of label, select and train are past; a
 * fourth stage, user, is bound to them
 */
#ifndef TESTS_UNIT_INPUTS_SCENE_H
#define TESTS_UNIT_INPUTS_SCENE_H

#include "campaign/plan.h"
#include "engine/history/outputs_store.h"
#include "history.h"
#include "space/layout.h"
#include "temp_dir.h"

enum { LABEL, SELECT, TRAIN, USER };

static const struct port label_outputs[] = {
    { .name = "dataset", .type.kind = TYPE_FRAMES },
    { .name = "energy", .type.kind = TYPE_FLOAT },
    { .name = NULL },
};
static const struct port select_outputs[] = {
    { .name = "frames", .type.kind = TYPE_FRAMES },
    { .name = "accurate", .type.kind = TYPE_FLOAT },
    { .name = NULL },
};
static const struct port train_outputs[] = {
    { .name = "model", .type.kind = TYPE_FILE },
    { .name = NULL },
};
static const struct port train_collected[] = {
    { .name = "best", .type.kind = TYPE_LIST },
    { .name = NULL },
};

static const struct operator_spec label_op = {
    .name = "x.label",
    .code = "x",
    .outputs = label_outputs,
    .fan_out = (const char *const[]){ "frames", NULL },
};
static const struct operator_spec select_op = { .name = "x.select",
                                                .code = "x",
                                                .outputs = select_outputs };
static const struct operator_spec train_op = {
    .name = "x.train",
    .code = "x",
    .outputs = train_outputs,
    .collected = train_collected,
    .fan_out = (const char *const[]){ "model", NULL },
};
static const struct operator_spec user_op = { .name = "x.user", .code = "x" };

static const char *const past[] = {
    "{'ev':'iteration','iteration':0}",
    "{'ev':'prepared','iteration':0,'stage':'label','code':'x','tasks':4}",
    "{'ev':'results','iteration':0,'stage':'label','tried':'0-3','outcomes':"
    "{'ok':'0,2-3','failed':'1'}}",
    "{'ev':'stage','iteration':0,'stage':'label','phase':'done','count':3,"
    "'proceed':true}",
    "{'ev':'prepared','iteration':0,'stage':'select','code':'x','tasks':1}",
    "{'ev':'stage','iteration':0,'stage':'select','phase':'done','count':1,"
    "'proceed':true}",
    "{'ev':'prepared','iteration':0,'stage':'train','code':'x','tasks':2}",
    "{'ev':'results','iteration':0,'stage':'train','tried':'0-1','outcomes':"
    "{'ok':'0','lost':'1'}}",
    "{'ev':'stage','iteration':0,'stage':'train','phase':'done','count':1,"
    "'proceed':true}",
    "{'ev':'closing','iteration':0,'history':{}}",
    "{'ev':'iteration','iteration':1}",
    "{'ev':'skip','iteration':1,'stage':'label','why':'w'}",
    "{'ev':'prepared','iteration':1,'stage':'select','code':'x','tasks':1}",
    "{'ev':'stage','iteration':1,'stage':'select','phase':'done','count':1,"
    "'proceed':false}",
    "{'ev':'prepared','iteration':1,'stage':'train','code':'x','tasks':0}",
    "{'ev':'stage','iteration':1,'stage':'train','phase':'done','count':0,"
    "'proceed':false}",
    "{'ev':'closing','iteration':1,'history':{}}",
    "{'ev':'iteration','iteration':2}",
    "{'ev':'prepared','iteration':2,'stage':'label','code':'x','tasks':2}",
    "{'ev':'results','iteration':2,'stage':'label','tried':'0-1','outcomes':"
    "{'ok':'0-1'}}",
    "{'ev':'stage','iteration':2,'stage':'label','phase':'done','count':2,"
    "'proceed':true}",
    "{'ev':'prepared','iteration':2,'stage':'train','code':'x','tasks':2}",
    NULL,
};

static const struct {
    int stage, iteration;
    const char *outputs;
} left[] = {
    { LABEL, 0,
      "{'count':3,'proceed':true,'dataset':['a',null,'c','d'],"
      "'energy':[1,null,3,4]}" },
    { SELECT, 0, "{'count':1,'proceed':true,'frames':'f0','accurate':0.5}" },
    { TRAIN, 0,
      "{'count':1,'proceed':true,'model':['m0',null],'best':[7,null]}" },
    { SELECT, 1, "{'count':1,'proceed':false,'frames':'f1','accurate':0.9}" },
    { TRAIN, 1, "{'count':0,'proceed':false,'model':[],'best':[]}" },
    { LABEL, 2,
      "{'count':2,'proceed':true,'dataset':['e','f'],'energy':[2,5]}" },
};

struct scene {
    struct temp_dir dir;
    struct stage stages[4];
    struct plan plan;
    struct state state;
    struct outputs_store *outputs;
};

static struct scene scene;

static int enter (void **unused)
{
    static const char *const names[] = { "label", "select", "train", "user" };
    static const struct operator_spec *const ops[] = { &label_op, &select_op,
                                                       &train_op, &user_op };
    static const char *const initial[] = { "i1", "i2", NULL };

    (void)unused;
    memset (&scene, 0, sizeof (scene));
    temp_dir_enter (&scene.dir);
    for (int s = 0; s < 4; s++)
        scene.stages[s] = (struct stage){ .name = names[s], .op = ops[s] };
    scene.plan = (struct plan){
        .dir = scene.dir.path,
        .stages = scene.stages,
        .n_stages = 4,
        .initial = initial,
    };
    happen_all (&scene.state, past);
    scene.outputs = outputs_store_create (scene.dir.path, &scene.state);
    for (size_t i = 0; i < ARRAY_SIZE (left); i++) {
        struct stage_place place = { names[left[i].stage], "x",
                                     left[i].iteration, 0 };
        struct strbuf path = STRBUF_INIT;
        struct json *v = json_object ();

        json_set (v, "outputs", json_of (left[i].outputs));
        layout_stage_path (&place, LAYOUT_OUTPUTS, &path);
        assert_int_equal (file_make_parent (path.buf, NULL), 0);
        assert_int_equal (json_write_file (path.buf, v, NULL), 0);
        strbuf_release (&path);
        json_unref (v);
    }
    return 0;
}

static int leave (void **unused)
{
    (void)unused;
    outputs_store_destroy (scene.outputs);
    state_release (&scene.state);
    temp_dir_leave (&scene.dir);
    return 0;
}

#endif /* !TESTS_UNIT_INPUTS_SCENE_H */
