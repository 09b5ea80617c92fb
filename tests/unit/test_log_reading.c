/* SPDX-License-Identifier: BSD-3-Clause */
/* test_log_reading.c - logs read on tell what logs read anew tell
 *
 * Agents do this and that at random; after each step a driver that has read all
 * along, and one that goes on from a checkpoint now and then, must know what
 * one knows that reads everything.
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <unistd.h>

#include "base/hash.h"
#include "engine/history/attempt_logs.h"
#include "engine/observe/log_reading.h"
#include "handover/element_logs.h"
#include "history.h"
#include "space/record_log.h"
#include "temp_dir.h"

enum { TASKS = 6, ELEMENTS = 2, CLAIMS = 4, SEEDS = 60, STEPS = 80 };

static const char *const begun[] = {
    "{'ev':'iteration','iteration':0}",
    "{'ev':'prepared','iteration':0,'stage':'work','tasks':6}",
    "{'ev':'attempt','iteration':0,'stage':'work','attempt':0,"
    "'tasks':'0-5'," PACKED ("2", "1", "2") "}",
    NULL,
};

struct scene {
    struct temp_dir dir;
    struct state state;
    struct logs_read read; /* of the driver that reads on */
    uint64_t seed, draws;
    int claims[ELEMENTS];                   /* how many there are */
    uint64_t durable[ELEMENTS][CLAIMS + 1]; /* of each log */
    bool dead[ELEMENTS][CLAIMS + 1];        /* its agent */
    struct json *journal;                   /* as read last */
};

static int draw (struct scene *scene, int n)
{
    uint64_t words[2] = { scene->seed, scene->draws++ };

    return (int)(hash_words (1, words, 2) % (uint64_t)n);
}

static const struct stage_state *stage (const struct scene *scene)
{
    return state_stage (&scene->state, 0, "work");
}

static struct attempt_logs *logs_of (const struct scene *scene,
                                     struct logs_read *read)
{
    return logs_read_of (read, stage (scene), 0);
}

static struct json *read_logs (const struct scene *scene,
                               struct logs_read *read)
{
    const struct chunk_logs chunk = { .dir = ".",
                                      .name = "000000/000000",
                                      .n_elements = ELEMENTS,
                                      .fresh = scene->draws % 2 == 0,
                                      .stage = stage (scene),
                                      .logs = logs_of (scene, read) };
    struct error err = ERROR_INIT;
    struct json *journal = NULL;

    if (chunk_logs_read (&chunk, &journal, &read->changed, &err) < 0)
        fail_msg ("%s", err.text);
    return journal;
}

/* --- what agents do --- */

static void append (struct scene *scene, int element, int n, const char *text)
{
    char *path = xasprintf ("results-%d.%d", element, n);
    FILE *file = fopen (path, "a");
    struct json *record = json_of (text);
    struct strbuf line = STRBUF_INIT;

    assert_non_null (file);
    record_format (record, &line);
    assert_int_equal (fwrite (line.buf, 1, line.len, file), line.len);
    if (draw (scene, 8) == 0)
        scene->durable[element][n] = (uint64_t)ftell (file);
    fclose (file);
    strbuf_release (&line);
    json_unref (record);
    free (path);
}

static void claim (struct scene *scene, int element)
{
    struct element_logs older = ELEMENT_LOGS_INIT;
    int n = scene->claims[element];
    struct strbuf text = STRBUF_INIT;
    struct json *list;

    if (n == CLAIMS)
        return;
    for (int i = 0; i < n; i++)
        assert_int_equal (element_logs_add (&older, ".", element, i, 0, NULL),
                          0);
    assert_int_equal (element_logs_limit (&older, NULL), 0);
    list = element_logs_older_json (&older);
    strbuf_addf (&text,
                 "{'ev':'claim','host':'h','node':'n%d','older':", n % 3);
    json_dump (list, JSON_COMPACT, &text);
    strbuf_add_str (&text, "}");
    append (scene, element, n, text.buf);
    scene->claims[element]++;
    json_unref (list);
    element_logs_release (&older);
    strbuf_release (&text);
}

static void log_something (struct scene *scene, int element)
{
    static const char *const records[] = {
        "{'ev':'start','task':@}",
        "{'ev':'end','task':@,'outcome':'ok','wall_s':2,'message':''}",
        "{'ev':'end','task':@,'outcome':'ok','wall_s':3,'message':'odd'}",
        "{'ev':'end','task':@,'outcome':'failed','wall_s':1,'message':'why',"
        "'exit':1,'signal':0}",
        "{'ev':'end','task':@,'outcome':'failed','wall_s':1,'message':'kill',"
        "'exit':-1,'signal':15}",
        "{'ev':'end','task':@,'outcome':'preempted','wall_s':1,'message':''}",
        "{'ev':'end','task':@,'outcome':'node_failure','wall_s':1,"
        "'message':'lost','node':'far'}",
        "{'ev':'found','task':@}",
        "{'ev':'returned','task':@}",
        "{'ev':'machine_error','task':@,'message':'full'}",
        "{'ev':'retired','device':'d','host':'h','failures':3,"
        "'message':'sick @'}",
        "{'ev':'done','now_s':@}",
    };
    int n = scene->claims[element] - 1 - (draw (scene, 6) == 0);
    int which = draw (scene, (int)ARRAY_SIZE (records) + 8);
    char *text;

    if (n < 0 || scene->dead[element][n])
        return;
    if ((size_t)which >= ARRAY_SIZE (records))
        text = xasprintf ("{'ev':'durable','bytes':%d}",
                          (int)scene->durable[element][n]);
    else
        text = xstrdup (records[which]);
    if (strchr (text, '@'))
        *strchr (text, '@') =
            (char)('0' + 3 * element
                   + (strstr (text, "found") ? 2 : draw (scene, 2)));
    append (scene, element, n, text);
    free (text);
}

/* A node goes down: what was not durable is lost. */
static void lose_tail (struct scene *scene, int element)
{
    int n = scene->claims[element] - 1;
    char *path = xasprintf ("results-%d.%d", element, n);
    struct strbuf text = STRBUF_INIT;

    if (n >= 0 && scene->durable[element][n] > 0
        && file_read (path, 1 << 20, &text, NULL) == 0
        && text.len > scene->durable[element][n])
        assert_int_equal (
            truncate (path, (off_t)(scene->durable[element][n]
                                    + (uint64_t)draw (scene, 20))),
            0);
    if (n >= 0)
        scene->dead[element][n] = true;
    strbuf_release (&text);
    free (path);
    claim (scene, element);
}

/* --- what drivers do --- */

/* Some of what is known is recorded, as decide would. */
static void record (struct scene *scene)
{
    const struct attempt_logs *logs = logs_of (scene, &scene->read);
    struct json *event = json_of ("{'ev':'results','iteration':0,"
                                  "'stage':'work','outcomes':{},'tried':''}");
    int32_t t = draw (scene, TASKS);
    enum outcome outcome = (enum outcome)logs->tasks[t].outcome;
    struct task_range range = TASK_RANGE_INIT;

    if (outcome != OUTCOME_NONE
        && (outcome == OUTCOME_OK
            || stage (scene)->tasks[t].outcome == OUTCOME_NONE)) {
        task_range_add (&range, t);
        json_set (json_get (event, "outcomes"), outcome_name (outcome),
                  task_range_to_json (&range));
        json_set (event, "logs", json_ref (scene->journal));
        json_set (event, "n", json_int (scene->state.n + 1));
        assert_int_equal (state_apply (&scene->state, event, NULL), 0);
    }
    task_range_release (&range);
    json_unref (event);
}

/* Another driver goes on from the checkpoint. */
static void hand_over (struct scene *scene)
{
    struct json *v = logs_read_to_json (&scene->read, &scene->state);
    size_t n = scene->read.n;

    logs_read_release (&scene->read);
    logs_read_from_json (v, &scene->state, &scene->read);
    assert_int_equal (scene->read.n, n);
    json_unref (v);
}

static const char *node_of (const struct attempt_logs *logs, int32_t task)
{
    uint32_t node = logs->tasks[task].node;

    return node > 0 ? logs->nodes.v[node - 1] : "";
}

static const char *why_of (const struct attempt_logs *logs, int32_t task)
{
    char key[16];

    snprintf (key, sizeof (key), "%d", task);
    return json_as_string (json_get (logs->why, key));
}

static void compare_retired (const struct read_element *a,
                             const struct read_element *b)
{
    assert_int_equal (json_count (a->retired), json_count (b->retired));
    JSON_FOREACH (b->retired, it)
        assert_string_equal (
            json_get_string (json_get (a->retired, json_iter_key (it)), "node"),
            json_get_string (json_iter_value (it), "node"));
}

/* Of tasks that are recorded nothing need be known but that they are ok. */
static void compare (const struct scene *scene, const struct attempt_logs *logs,
                     const struct attempt_logs *all)
{
    for (int32_t t = 0; t < TASKS; t++) {
        const struct logged_task *a = &logs->tasks[t], *b = &all->tasks[t];
        uint8_t recorded = stage (scene)->tasks[t].outcome;

        if (recorded == OUTCOME_OK)
            continue;
        assert_int_equal (a->outcome == OUTCOME_OK, b->outcome == OUTCOME_OK);
        if (recorded != OUTCOME_NONE)
            continue;
        assert_int_equal (a->outcome, b->outcome);
        assert_int_equal (a->started, b->started);
        assert_int_equal (a->killed, b->killed);
        assert_true (a->wall_s == b->wall_s);
        if (a->outcome != OUTCOME_OK) /* where one ran nobody asks */
            assert_string_equal (node_of (logs, t), node_of (all, t));
        if (a->outcome != OUTCOME_NONE)
            assert_string_equal (why_of (logs, t), why_of (all, t));
    }
    for (int e = 0; e < ELEMENTS; e++) {
        const char *a = logs->elements[e].machine_error;
        const char *b = all->elements[e].machine_error;

        if (all->elements[e].finished)
            continue;
        assert_string_equal (a ? a : "", b ? b : "");
        compare_retired (&logs->elements[e], &all->elements[e]);
    }
}

static void look (struct scene *scene)
{
    struct logs_read anew = LOGS_READ_INIT;
    struct json *journal;

    json_unref (scene->journal);
    scene->journal = read_logs (scene, &scene->read);
    journal = read_logs (scene, &anew);
    compare (scene, logs_of (scene, &scene->read), logs_of (scene, &anew));
    assert_true (json_equal (scene->journal, journal));
    json_unref (journal);
    logs_read_release (&anew);
}

static void play (uint64_t seed)
{
    struct scene scene = { .seed = seed, .state = STATE_INIT };

    temp_dir_enter (&scene.dir);
    happen_all (&scene.state, begun);
    for (int i = 0; i < STEPS; i++) {
        int element = draw (&scene, ELEMENTS);
        int what = draw (&scene, 20);

        if (scene.claims[element] == 0 || what == 0)
            claim (&scene, element);
        else if (what == 1)
            lose_tail (&scene, element);
        else
            log_something (&scene, element);
        if (draw (&scene, 3) > 0)
            look (&scene);
        if (scene.journal && draw (&scene, 3) == 0)
            record (&scene);
        if (draw (&scene, 4) == 0)
            hand_over (&scene);
    }
    look (&scene);
    json_unref (scene.journal);
    logs_read_release (&scene.read);
    state_release (&scene.state);
    temp_dir_leave (&scene.dir);
}

static void test_read_on (void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= SEEDS; seed++)
        play (seed);
}

/* Nothing is read that did not change: the file is gone, and nobody notices. */
static void test_unchanged_is_not_opened (void **unused)
{
    struct scene scene = { .seed = 1, .state = STATE_INIT };
    struct logs_read before;

    (void)unused;
    temp_dir_enter (&scene.dir);
    happen_all (&scene.state, begun);
    claim (&scene, 0);
    append (&scene, 0, 0, "{'ev':'start','task':1}");
    look (&scene);
    assert_true (scene.read.changed);
    scene.read.changed = false;
    json_unref (scene.journal);
    scene.journal = read_logs (&scene, &scene.read);
    assert_false (scene.read.changed);
    hand_over (&scene);
    before = scene.read;
    assert_true (logs_of (&scene, &before)->tasks[1].started);
    json_unref (scene.journal);
    scene.journal = read_logs (&scene, &scene.read);
    assert_false (scene.read.changed);
    append (&scene, 0, 0, "{'ev':'start','task':2}");
    look (&scene);
    assert_true (scene.read.changed);
    /* nor of an element that was claimed again, when all of the older log is
     * there that counts
     */
    claim (&scene, 0);
    claim (&scene, 1);
    claim (&scene, 1);
    look (&scene);
    scene.read.changed = false;
    json_unref (scene.journal);
    scene.journal = read_logs (&scene, &scene.read);
    assert_false (scene.read.changed);
    json_unref (scene.journal);
    logs_read_release (&scene.read);
    state_release (&scene.state);
    temp_dir_leave (&scene.dir);
}

/* That both ways of reading agree does not make them right. */
static void test_what_is_read (void **unused)
{
    struct scene scene = { .seed = 1, .state = STATE_INIT };
    const struct attempt_logs *logs;
    struct strbuf text = STRBUF_INIT;

    (void)unused;
    temp_dir_enter (&scene.dir);
    happen_all (&scene.state, begun);
    claim (&scene, 0); /* on n0 */
    append (&scene, 0, 0, "{'ev':'start','task':0}");
    append (&scene, 0, 0,
            "{'ev':'end','task':0,'outcome':'node_failure','wall_s':1,"
            "'message':'lost','node':'far'}");
    append (&scene, 0, 0, "{'ev':'start','task':1}");
    append (&scene, 0, 0,
            "{'ev':'end','task':1,'outcome':'failed','wall_s':3,"
            "'message':'kill','exit':-1,'signal':15}");
    append (&scene, 0, 0, "{'ev':'start','task':2}");
    look (&scene);
    logs = logs_of (&scene, &scene.read);
    assert_int_equal (logs->tasks[0].outcome, OUTCOME_NODE_FAILURE);
    assert_string_equal (node_of (logs, 0), "far");
    assert_string_equal (why_of (logs, 0), "lost");
    assert_int_equal (logs->tasks[1].outcome, OUTCOME_FAILED);
    assert_string_equal (node_of (logs, 1), "n0");
    assert_true (logs->tasks[1].killed);
    assert_int_equal (logs->tasks[1].status, 128 + 15);
    assert_true (logs->tasks[1].wall_s == 3);
    assert_true (logs->tasks[2].started);
    assert_int_equal (logs->tasks[2].outcome, OUTCOME_NONE);
    assert_string_equal (why_of (logs, 2), "");

    /* Damage is the reason for what is not known otherwise. */
    json_unref (scene.journal);
    logs_read_release (&scene.read);
    assert_int_equal (file_read ("results-0.0", 1 << 20, &text, NULL), 0);
    strbuf_add_str (&text, "{'ev' damaged}\n");
    write_text ("results-0.0", text.buf);
    append (&scene, 0, 0, "{'ev':'start','task':2}");
    scene.journal = read_logs (&scene, &scene.read);
    logs = logs_of (&scene, &scene.read);
    assert_string_equal (why_of (logs, 0), "lost");
    assert_string_equal (why_of (logs, 1), "kill");
    assert_non_null (strstr (why_of (logs, 2), "results-0.0"));
    strbuf_release (&text);
    json_unref (scene.journal);
    logs_read_release (&scene.read);
    state_release (&scene.state);
    temp_dir_leave (&scene.dir);
}

/* What it tells of older logs is no number of bytes, or no digest. */
static void test_damaged_claims (void **unused)
{
    static const char *const older[] = {
        "{'bytes':1,'sha256':'aa'}",
        "{'n':0,'sha256':'aa'}",
        "{'n':0,'bytes':1}",
        "{'n':0,'bytes':-1,'sha256':'aa'}",
        "{'n':0,'bytes':1,'sha256':'00000000000000000000000000000000"
        "000000000000000000000000000000000'}",
    };

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (older); i++) {
        struct element_logs logs = ELEMENT_LOGS_INIT;
        struct scene scene = { .seed = 1 };
        char *text = xasprintf ("{'ev':'claim','host':'h','node':'n',"
                                "'older':[%s]}",
                                older[i]);

        temp_dir_enter (&scene.dir);
        append (&scene, 0, 1, text);
        assert_int_equal (element_logs_add (&logs, ".", 0, 1, 0, NULL), 0);
        assert_non_null (logs.v[0].damage);
        assert_non_null (strstr (logs.v[0].damage, "key 'older'"));
        assert_int_equal (logs.v[0].extent.whole_bytes, 0);
        element_logs_release (&logs);
        temp_dir_leave (&scene.dir);
        free (text);
    }
}

#define ELEMENTS_OF(list) "[{'stage':'work','attempt':0,'elements':[" list "]}]"
#define HEX "'0000000000000000000000000000000000000000000000000000000000000000'"
#define DIGESTS HEX "," HEX

static size_t n_read (const char *text, const struct state *state)
{
    struct logs_read read = LOGS_READ_INIT;
    struct json *v = json_of (text);
    size_t n;

    logs_read_from_json (v, state, &read);
    n = read.n;
    logs_read_release (&read);
    json_unref (v);
    return n;
}

/* A checkpoint that does not fit is not taken. */
static void test_damaged_checkpoints (void **unused)
{
    static const char *const bad[] = {
        "[{'stage':'other','attempt':0}]",
        "[{'stage':'work','attempt':1}]",
        "[{'stage':'work','attempt':0,'started':'7-','elements':[]}]",
        ELEMENTS_OF ("[0,0,1]"),
        ELEMENTS_OF ("[2,0,1,1,1,0," DIGESTS ",0]"),
        ELEMENTS_OF ("[-1,0,1,1,1,0," DIGESTS ",0]"),
        ELEMENTS_OF ("[0,-1,1,1,1,0," DIGESTS ",0]"),
        ELEMENTS_OF ("[0,10001,1,1,1,0," DIGESTS ",0]"),
        ELEMENTS_OF ("[0,0,-1,1,-2,0," DIGESTS ",0]"),
        ELEMENTS_OF ("[0,0,-1,1,0,0," DIGESTS ",0]"),
        ELEMENTS_OF ("[0,0,1,1,-1,0," DIGESTS ",0]"),
        ELEMENTS_OF ("[0,0,1,1,2,0," DIGESTS ",0]"),
        ELEMENTS_OF ("[0,0,1,1,1,1," DIGESTS ",0]"),
        ELEMENTS_OF ("[0,0,1,1,1,-1," DIGESTS ",0]"),
        ELEMENTS_OF ("[0,0,1,1,1,0,'ab'," HEX ",0]"),
        ELEMENTS_OF ("[0,0,1,1,1,0," HEX ",'ab',0]"),
        ELEMENTS_OF ("[0,0,1,1,1,0," DIGESTS ",0],"
                     "[0,0,1,1,1,0," DIGESTS ",0]"),
        "[{'stage':'work','attempt':0,'machine_errors':[[9,'',true]]}]",
        "7",
    };
    struct state state = STATE_INIT;

    (void)unused;
    happen_all (&state, begun);
    assert_int_equal (
        n_read (ELEMENTS_OF ("[0,0,1,1,1,0," DIGESTS ",0]"), &state), 1);
    for (size_t i = 0; i < ARRAY_SIZE (bad); i++)
        assert_int_equal (n_read (bad[i], &state), 0);
    state_release (&state);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_read_on),
        cmocka_unit_test (test_unchanged_is_not_opened),
        cmocka_unit_test (test_what_is_read),
        cmocka_unit_test (test_damaged_claims),
        cmocka_unit_test (test_damaged_checkpoints),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
