/* SPDX-License-Identifier: BSD-3-Clause */
/* test_act_submit.c - a driver that is replaced while its job is on the way
 * takes the job back, whenever that shows
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "adapter.h"
#include "base/clock.h"
#include "campaign/plan.h"
#include "engine/act/act.h"
#include "engine/decide/actions.h"
#include "engine/history/engine.h"
#include "engine/history/state.h"
#include "history.h"
#include "in_temp_dir.h"

#define SETTLE_S 0.3

static struct plan plan;

/* A scheduler with at most one job. */
static struct {
    enum answer reply; /* to who submits */
    bool replaced;     /* another driver takes over meanwhile, */
    bool concludes;    /* and records that there is no job */
    double shows_s;    /* find() shows it so long after; < 0: never */
    double since_s;
    int finds;
    struct strbuf cancelled;
} world;

static void take_over (void)
{
    struct engine other;
    struct json *event;
    const struct attempt *attempt;

    assert_int_equal (engine_open (&other, dir.path, "fanfold", NULL), 0);
    engine_take_plan (&other, &plan);
    assert_int_equal (engine_take_lease (&other, NULL), 0);
    attempt = stage_open_attempt (state_stage (&other.state, 0, "label"));
    assert_int_equal (attempt->n_submissions, 1);
    event = json_of ("{'ev':'absent'}");
    json_set (event, "token", json_string (attempt->submissions[0].token));
    if (world.concludes)
        assert_int_equal (engine_record (&other, event, NULL), 0);
    else
        json_unref (event);
    engine_close (&other);
}

static enum answer render (const struct scheduler *scheduler,
                           const struct array_job *job, struct strbuf *script,
                           struct error *err)
{
    (void)scheduler, (void)job, (void)err;
    strbuf_add_str (script, "#!/bin/sh\n");
    return ANSWER_OK;
}

static enum answer submit (const struct scheduler *scheduler,
                           const struct array_job *job, const char *script_path,
                           struct strbuf *id, struct error *err)
{
    (void)scheduler, (void)job, (void)script_path;
    world.since_s = clock_mono_s ();
    if (world.replaced)
        take_over ();
    if (world.reply == ANSWER_OK)
        strbuf_add_str (id, "7");
    else
        error_set (err, "no answer");
    return world.reply;
}

static enum answer find (const struct scheduler *scheduler, const char *token,
                         struct strvec *ids, struct error *err)
{
    (void)scheduler, (void)token, (void)err;
    world.finds++;
    if (world.shows_s >= 0 && world.cancelled.len == 0
        && clock_mono_s () - world.since_s >= world.shows_s)
        strvec_push (ids, "7");
    return ANSWER_OK;
}

static enum answer cancel (const struct scheduler *scheduler,
                           const struct job_key *job, int64_t element,
                           struct error *err)
{
    (void)scheduler, (void)element, (void)err;
    strbuf_addf (&world.cancelled, "%s ", job->id);
    return ANSWER_OK;
}

static const struct scheduler_adapter adapter = { .name = "toy",
                                                  .can_hold = true,
                                                  .render = render,
                                                  .submit = submit,
                                                  .find = find,
                                                  .cancel = cancel };

static struct operator_spec labeling = { .name = "toy.label", .code = "toy" };
static const struct profile profile = { .name = "p",
                                        .scheduler = "toy",
                                        .settle_s = SETTLE_S };
static struct stage stages[] = {
    { .name = "label", .op = &labeling, .profile = &profile },
};

static enum act_result submit_one (void)
{
    static const char *const history[] = {
        "{'ev':'iteration','iteration':0}",
        "{'ev':'prepared','iteration':0,'stage':'label','tasks':1}",
        "{'ev':'attempt','iteration':0,'stage':'label','attempt':0,"
        "'tasks':'0'," PACKED ("1", "1", "1") "}",
    };
    const struct action action = { .kind = ACT_SUBMIT };
    struct error err = ERROR_INIT;
    struct engine engine;
    enum act_result result;

    plan = (struct plan){
        .dir = dir.path, .name = "c", .stages = stages, .n_stages = 1
    };
    assert_int_equal (engine_open (&engine, dir.path, "fanfold", &err), 0);
    engine.adapter = &adapter;
    engine_take_plan (&engine, &plan);
    assert_int_equal (engine_take_lease (&engine, &err), 0);
    for (size_t i = 0; i < ARRAY_SIZE (history); i++) {
        if (engine_record (&engine, json_of (history[i]), &err) < 0)
            fail_msg ("%s", err.text);
    }
    result = act_submit (&engine, &action, &err);
    engine_close (&engine);
    return result;
}

static const struct {
    const char *what;
    enum answer reply;
    bool replaced, concludes;
    double shows_s;
    enum act_result result;
    const char *cancelled;
    int finds; /* at least */
} rows[] = {
    { "it keeps the lease", ANSWER_OK, false, false, 0, ACT_DONE, "", 0 },
    { "its job shows at once", ANSWER_OK, true, true, 0, ACT_FAILED, "7 ", 1 },
    { "its job was told, and does not show yet", ANSWER_OK, true, true, -1,
      ACT_FAILED, "7 ", 1 },
    { "the reply was lost, and the job shows late", ANSWER_TRY_LATER, true,
      true, SETTLE_S / 2, ACT_FAILED, "7 ", 2 },
    { "the reply was lost, and there is no job", ANSWER_TRY_LATER, true, true,
      -1, ACT_FAILED, "", 2 },
    { "its successor wants the job", ANSWER_TRY_LATER, true, false, 0,
      ACT_FAILED, "", 2 },
    { "the scheduler refused it", ANSWER_REFUSED, true, true, -1, ACT_FAILED,
      "", 1 },
};

static void test_replaced_while_submitting (void **unused)
{
    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (rows); i++) {
        memset (&world, 0, sizeof (world));
        strbuf_init (&world.cancelled);
        world.reply = rows[i].reply;
        world.replaced = rows[i].replaced;
        world.concludes = rows[i].concludes;
        world.shows_s = rows[i].shows_s;
        if (submit_one () != rows[i].result
            || strcmp (world.cancelled.buf, rows[i].cancelled) != 0
            || world.finds < rows[i].finds)
            fail_msg ("%s: cancelled '%s' after %d looks", rows[i].what,
                      world.cancelled.buf, world.finds);
        strbuf_release (&world.cancelled);
        leave (NULL);
        enter (NULL);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown (test_replaced_while_submitting, enter,
                                         leave),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
