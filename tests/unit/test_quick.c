/* SPDX-License-Identifier: BSD-3-Clause */
/* test_quick.c - names, hyperparameters, links, which resource is meant, and
 * the campaign of a training
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "quick/hyperparams.h"
#include "quick/resource.h"
#include "quick/resource_name.h"
#include "quick/training.h"
#include "quick/tree_links.h"
#include "quoted_json.h"

static void join (const struct strvec *words, struct strbuf *out)
{
    for (size_t i = 0; i < words->n; i++)
        strbuf_addf (out, "%s%s", i > 0 ? "|" : "", words->v[i]);
}

/* --- names --- */

static void test_names_of_paths (void **state)
{
    static const struct {
        const char *path, *name;
    } cases[] = {
        { "/data/a", "a" },
        { "/data/a.tar.gz", "a" },
        { "/data/a.zip", "a" },
        { "/data/a.tzst", "a" },
        { "/data/a.b.tar", "a.b" },
        { "/data/.tar", "x.tar" },
        { "/data/my data", "my-data" },
        { "/data/-x", "x-x" },
        { "/data/w.pt", "w.pt" },
        { "/", "x" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        char *name = resource_name_of_path (cases[i].path);

        assert_string_equal (name, cases[i].name);
        assert_true (resource_name_ok (name));
        free (name);
    }
}

static void test_ids (void **state)
{
    struct strvec ids = STRVEC_INIT;

    (void)state;
    assert_true (resource_id_ok ("mlp.1"));
    assert_true (resource_id_ok ("a.b.12"));
    assert_false (resource_id_ok ("mlp"));
    assert_false (resource_id_ok ("mlp.0"));
    assert_false (resource_id_ok ("mlp.01"));
    assert_false (resource_id_ok ("mlp.1x"));
    assert_false (resource_id_ok (".1"));
    assert_false (resource_id_ok (""));
    assert_false (resource_id_ok ("../mlp.1"));
    assert_int_equal (resource_id_version ("mlp.12", "mlp"), 12);
    assert_int_equal (resource_id_version ("mlp.1.2", "mlp"), 0);
    assert_int_equal (resource_id_version ("mlp.1.2", "mlp.1"), 2);
    strvec_split (&ids, "a.1 a.3 a.3.9 b.7", " ");
    assert_int_equal (resource_next_version (&ids, "a"), 4);
    assert_int_equal (resource_next_version (&ids, "a.3"), 10);
    assert_int_equal (resource_next_version (&ids, "c"), 1);
    strvec_release (&ids);
}

/* --- hyperparameters --- */

static void test_hyperparams (void **state)
{
    static const struct {
        const char *given; /* separated by blanks */
        const char *prefix, *delimiter;
        const char *argv;
    } cases[] = {
        { "epochs=10 amp", NULL, NULL, "--epochs|10|--amp" },
        { "epochs=10 amp", "+", "=", "+epochs=10|+amp" },
        { "epochs=10 amp=", "++", "=", "++epochs=10|++amp" },
        { "epochs=10", "none", "=", "epochs=10" },
        { "epochs=10", "", "blank", "epochs|10" },
        { "lr=1 x=2 lr=3", "--", " ", "--lr|1|3|--x|2" },
        { "lr=1 x=2 lr=3", "--", ":", "--lr:1|--lr:3|--x:2" },
        { "expr=a=b", NULL, "=", "--expr=a=b" },
        { "v v", NULL, NULL, "--v" },
        { "", NULL, NULL, "" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct hyperparams all = HYPERPARAMS_INIT;
        struct hyperparam_style style;
        struct strvec given = STRVEC_INIT, argv = STRVEC_INIT;
        struct strbuf text = STRBUF_INIT;

        strvec_split (&given, cases[i].given, " ");
        for (size_t w = 0; w < given.n; w++)
            assert_int_equal (hyperparams_add (&all, given.v[w], NULL), 0);
        assert_int_equal (hyperparam_style_read (cases[i].prefix,
                                                 cases[i].delimiter, &style,
                                                 NULL),
                          0);
        hyperparams_argv (&all, &style, &argv);
        join (&argv, &text);
        assert_string_equal (text.buf, cases[i].argv);
        strbuf_release (&text);
        strvec_release (&argv);
        strvec_release (&given);
        hyperparams_release (&all);
    }
}

static void test_broken_hyperparams (void **state)
{
    struct hyperparams all = HYPERPARAMS_INIT;
    struct hyperparam_style style;
    struct error err = ERROR_INIT;

    (void)state;
    assert_int_equal (hyperparams_add (&all, "=1", &err), -1);
    assert_non_null (strstr (err.text, "'=1' has no name"));
    assert_int_equal (hyperparams_add (&all, "", &err), -1);
    assert_int_equal (hyperparams_add (&all, "a", &err), 0);
    assert_int_equal (hyperparams_add (&all, "a=1", &err), -1);
    assert_non_null (strstr (err.text, "'a' is a flag once"));
    assert_int_equal (hyperparam_style_read ("-", NULL, &style, &err), -1);
    assert_non_null (strstr (err.text, "--prefix '-'"));
    assert_int_equal (hyperparam_style_read (NULL, "", &style, &err), -1);
    hyperparams_release (&all);
}

/* --- links --- */

static void test_links (void **state)
{
    static const struct {
        const char *path, *target;
        bool out;
    } cases[] = {
        { "a", "b", false },          { "a", "..", true },
        { "a", "../a", true },        { "d/a", "..", false },
        { "d/a", "../b", false },     { "d/a", "../../b", true },
        { "./d/a", "../../b", true }, { "d/e/a", "../../b/c", false },
        { "a", "/etc/passwd", true }, { "a", "b/../c", true },
        { "d/a", "./../b", false },   { "d/a", "b/../../c", true },
        { "d/e/a", "../..", false },  { "d/a", "", true },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct strvec parts = STRVEC_INIT;

        strvec_split (&parts, cases[i].path, "/");
        if (tree_link_leads_out (&parts, cases[i].target) != cases[i].out)
            fail_msg ("%s -> %s", cases[i].path, cases[i].target);
        strvec_release (&parts);
    }
}

/* --- which resource --- */

static void test_decide (void **state)
{
    static const struct {
        struct resource_facts facts;
        enum resource_action action;
    } cases[] = {
        /* An ID wins over what lies at that path. */
        { { .registered = true, .kept = true, .local = true }, RESOURCE_USE },
        { { .registered = true, .kept = true }, RESOURCE_USE },
        { { .registered = true, .at_source = true }, RESOURCE_RESTORE },
        { { .registered = true, .local = true }, RESOURCE_GONE },
        { { .registered = true }, RESOURCE_GONE },
        { { .local = true }, RESOURCE_REGISTER },
        { { .local = false }, RESOURCE_UNKNOWN },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++)
        assert_int_equal (resource_decide (&cases[i].facts), cases[i].action);
}

/* --- the campaign --- */

/* Caller releases. */
static struct training example (void)
{
    struct training t = TRAINING_INIT;
    struct hyperparam_style style;

    hyperparam_style_read (NULL, NULL, &style, NULL);
    t.style = style;
    t.task = xstrdup ("t1");
    t.project = xstrdup ("default");
    t.algorithm = xstrdup ("mlp.2");
    t.algorithm_path = xstrdup ("algorithm/mlp");
    t.revision = xstrdup ("abc");
    training_add_input (
        &t, (struct training_input){ .kind = "dataset",
                                     .option = xstrdup ("dataset"),
                                     .id = xstrdup ("data-a.1"),
                                     .path = xstrdup ("datasets/1/data-a") });
    strvec_split (&t.command, "torchrun train.py", " ");
    hyperparams_add (&t.hyperparams, "epochs=10", NULL);
    hyperparams_add (&t.hyperparams, "amp", NULL);
    return t;
}

static void test_arguments (void **state)
{
    struct training t = example ();
    struct strvec argv = STRVEC_INIT;
    struct strbuf text = STRBUF_INIT;

    (void)state;
    training_argv (&t, "/q/t1", &argv);
    join (&argv, &text);
    assert_string_equal (text.buf, "torchrun|train.py|--dataset|"
                                   "/q/t1/datasets/1/data-a|--epochs|10|--amp");
    strbuf_release (&text);
    strvec_release (&argv);
    training_release (&t);
}

/* Two of a kind are one list of the argument. */
static void test_inputs_of_one_name (void **state)
{
    struct training t = example ();
    struct strvec argv = STRVEC_INIT;
    struct strbuf text = STRBUF_INIT;

    (void)state;
    training_add_input (
        &t, (struct training_input){ .kind = "dataset",
                                     .option = xstrdup ("dataset"),
                                     .id = xstrdup ("b.1"),
                                     .path = xstrdup ("datasets/1/b") });
    training_argv (&t, "/q", &argv);
    join (&argv, &text);
    assert_string_equal (text.buf,
                         "torchrun|train.py|--dataset|/q/datasets/1/data-a|"
                         "/q/datasets/1/b|--epochs|10|--amp");
    strbuf_release (&text);
    strvec_release (&argv);
    training_release (&t);
}

static struct json *command_of (const struct json *campaign, const char *node)
{
    const struct json *op =
        json_get (json_get (campaign, "operators"), "quick.train");
    const struct json *programs = json_get (json_get (op, "group"), "programs");

    return json_get (json_get (programs, node), "command");
}

static void test_campaign (void **state)
{
    struct training t = example ();
    struct json *campaign;

    (void)state;
    t.nodes = 2;
    t.procs_per_node = 4;
    t.output = xstrdup ("model");
    hyperparams_add (&t.hyperparams, "format={x}", NULL);
    campaign = training_campaign (&t);
    assert_json (json_get (campaign, "stages"),
                 "{'train':{'uses':'quick.train','with':{'algorithm':"
                 "'algorithm/mlp','input_1':'datasets/1/data-a'}}}");
    assert_json (command_of (campaign, "node_0"),
                 "['env','--chdir=tree','MASTER_ADDR={address}',"
                 "'MASTER_PORT={port}','NNODES=2','NODE_RANK=0',"
                 "'NPROC_PER_NODE=4','torchrun','train.py','--dataset',"
                 "'{input_1}','--epochs','10','--amp','--format','{{x}}']");
    assert_string_equal (
        json_as_string (json_at (command_of (campaign, "node_1"), 5)),
        "NODE_RANK=1");
    json_unref (campaign);
    training_release (&t);
}

/* A path and a hyperparameter cannot have one name. */
static void test_name_twice (void **state)
{
    struct training t = example ();
    struct error err = ERROR_INIT;

    (void)state;
    assert_int_equal (training_check (&t, &err), 0);
    hyperparams_add (&t.hyperparams, "dataset=x", NULL);
    assert_int_equal (training_check (&t, &err), -1);
    assert_non_null (strstr (err.text, "'dataset' is what a path"));
    training_release (&t);
}

/* What was asked for decides, not which task it became. */
static void test_digest (void **state)
{
    struct training t = example (), other = example ();
    char a[DIGEST_HEX_SIZE], b[DIGEST_HEX_SIZE];

    (void)state;
    free (other.task);
    other.task = xstrdup ("t2");
    training_digest (&t, a);
    training_digest (&other, b);
    assert_string_equal (a, b);
    hyperparams_add (&other.hyperparams, "seed=1", NULL);
    training_digest (&other, b);
    assert_string_not_equal (a, b);
    training_release (&other);
    training_release (&t);
}

static void set (char **member, const char *text)
{
    free (*member);
    *member = xstrdup (text);
}

static void flip (struct training *t, int which)
{
    switch (which) {
    case 0:
        set (&t->project, "other");
        break;
    case 1:
        set (&t->description, "other");
        break;
    case 2:
        set (&t->algorithm, "other.1");
        break;
    case 3:
        t->algorithm_sha256[0] = 'f';
        break;
    case 4:
        set (&t->revision, "other");
        break;
    case 5:
        set (&t->inputs[0].id, "other.1");
        break;
    case 6:
        set (&t->inputs[0].option, "other");
        break;
    case 7:
        set (&t->inputs[0].path, "datasets/2/data-a");
        break;
    case 8:
        t->inputs[0].sha256[0] = 'f';
        break;
    case 9:
        t->inputs[0].kind = "model";
        break;
    case 10:
        t->inputs[0].kind = "pretrain";
        break;
    case 11:
        strvec_push (&t->command, "more");
        break;
    case 12:
        hyperparams_add (&t->hyperparams, "seed=1", NULL);
        break;
    case 13:
        t->style.prefix = "-";
        break;
    case 14:
        t->style.delimiter = "=";
        break;
    case 15:
        set (&t->profile, "other");
        break;
    case 16:
        set (&t->image, "other.sif");
        break;
    case 17:
        set (&t->output, "other");
        break;
    case 18:
        t->needs = json_of ("{'walltime': '2h'}");
        break;
    case 19:
        t->nodes = 2;
        break;
    case 20:
        t->procs_per_node = 2;
        break;
    case 21:
        t->not_reused = true;
        break;
    }
}

enum { FLIPS = 22 };

/* Whatever was asked for otherwise makes another task. */
static void test_digest_has_everything (void **state)
{
    struct training t = example ();
    char digests[FLIPS + 1][DIGEST_HEX_SIZE];

    (void)state;
    training_digest (&t, digests[FLIPS]);
    training_release (&t);
    for (int i = 0; i < FLIPS; i++) {
        t = example ();
        flip (&t, i);
        training_digest (&t, digests[i]);
        training_release (&t);
        for (int k = 0; k < i; k++)
            assert_string_not_equal (digests[i], digests[k]);
        if (strcmp (digests[i], digests[FLIPS]) == 0)
            fail_msg ("change %d is not in it", i);
    }
}

/* What a person gave is in the campaign, each where it belongs. */
static void test_whole_campaign (void **state)
{
    static const struct {
        int flip;
        const char *key, *value; /* of the operator, of the stage with a '.' */
    } cases[] = {
        { 1, "doc", "'other'" },
        { 15, ".profile", "'other'" },
        { 16, "image", "'other.sif'" },
        { 17, "outputs",
          "{'output':{'type':'dir','take':'tree/other','path':'output'}}" },
        { 18, "task", "{'walltime':'2h'}" },
        { 21, "reuse", "false" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct training t = example ();
        struct json *campaign;
        const struct json *op, *stage, *found;

        flip (&t, cases[i].flip);
        campaign = training_campaign (&t);
        op = json_get (json_get (campaign, "operators"), "quick.train");
        stage = json_get (json_get (campaign, "stages"), "train");
        found = cases[i].key[0] == '.' ? json_get (stage, cases[i].key + 1)
                                       : json_get (op, cases[i].key);
        assert_json (found, cases[i].value);
        json_unref (campaign);
        training_release (&t);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_names_of_paths),
        cmocka_unit_test (test_ids),
        cmocka_unit_test (test_hyperparams),
        cmocka_unit_test (test_broken_hyperparams),
        cmocka_unit_test (test_links),
        cmocka_unit_test (test_decide),
        cmocka_unit_test (test_arguments),
        cmocka_unit_test (test_inputs_of_one_name),
        cmocka_unit_test (test_campaign),
        cmocka_unit_test (test_name_twice),
        cmocka_unit_test (test_digest),
        cmocka_unit_test (test_digest_has_everything),
        cmocka_unit_test (test_whole_campaign),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
