/* SPDX-License-Identifier: BSD-3-Clause */
/* test_home.c - whose jobs a campaign has, and where it was begun */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include <unistd.h>

#include "engine/history/engine.h"
#include "engine/history/home.h"
#include "history.h"
#include "in_temp_dir.h"

#define BEGIN "{'ev':'iteration','iteration':0}"
#define OF "'iteration':0,'stage':'label'"
#define PREPARED "{'ev':'prepared'," OF ",'tasks':4}"
#define ATTEMPT                                                                \
    "{'ev':'attempt'," OF                                                      \
    ",'attempt':0,'tasks':'0-3'," PACKED ("4", "2", "2") "}"
#define INTENT(chunk, token, uid)                                              \
    "{'ev':'intent'," OF ",'chunk':" chunk ",'token':'" token                  \
    "','elements':2,'now_s':9,'uid':" uid "}"
#define DEPENDENCY(token, uid)                                                 \
    "{'ev':'dependency_job','token':'" token "','stage':'label','elements':2," \
    "'after':'ta','now_s':9,'uid':" uid "}"
#define RECORDED(token) "{'ev':'recorded','token':'" token "','id':'17'}"
#define RELEASED(token) "{'ev':'released','token':'" token "'}"
#define ABSENT(token) "{'ev':'absent','token':'" token "'}"
#define ENDED(token) "{'ev':'ended','token':'" token "'}"
#define CLOSED "{'ev':'closed'," OF ",'without_result':false}"
#define OTHERS "4711" /* user */

static const struct {
    const char *what;
    const char *history[10];
    bool jobs;  /* the scheduler may be asked for one */
    bool other; /* one of another user may not have ended */
} cases[] = {
    { "nothing was submitted", { BEGIN, PREPARED, ATTEMPT }, false, false },
    { "another's job may exist",
      { BEGIN, PREPARED, ATTEMPT, INTENT ("0", "ta", OTHERS) },
      true,
      true },
    { "it is held",
      { BEGIN, PREPARED, ATTEMPT, INTENT ("0", "ta", OTHERS), RECORDED ("ta") },
      true,
      true },
    { "it runs",
      { BEGIN, PREPARED, ATTEMPT, INTENT ("0", "ta", OTHERS), RECORDED ("ta"),
        RELEASED ("ta") },
      true,
      true },
    { "it has ended",
      { BEGIN, PREPARED, ATTEMPT, INTENT ("0", "ta", OTHERS), RECORDED ("ta"),
        RELEASED ("ta"), ENDED ("ta") },
      true,
      false },
    { "it never was one",
      { BEGIN, PREPARED, ATTEMPT, INTENT ("0", "ta", OTHERS), ABSENT ("ta") },
      true,
      false },
    { "the second one is another's",
      { BEGIN, PREPARED, ATTEMPT, INTENT ("0", "ta", "@"),
        INTENT ("1", "tb", OTHERS) },
      true,
      true },
    { "its attempt is closed",
      { BEGIN, PREPARED, ATTEMPT, INTENT ("0", "ta", OTHERS), ABSENT ("ta"),
        CLOSED },
      false,
      false },
    { "a dependency job is another's",
      { BEGIN, PREPARED, ATTEMPT, "{'ev':'chain','on':true}",
        INTENT ("0", "ta", "@"), DEPENDENCY ("wa", OTHERS) },
      true,
      true },
    { "... which has ended",
      { BEGIN, PREPARED, ATTEMPT, "{'ev':'chain','on':true}",
        INTENT ("0", "ta", "@"), DEPENDENCY ("wa", OTHERS), RECORDED ("wa"),
        ENDED ("wa") },
      true,
      false },
};

/* 'text' with our own number in place of '@'. */
static char *ours (const char *text)
{
    const char *at = strchr (text, '@');

    return at ? xasprintf ("%.*s%u%s", (int)(at - text), text,
                           (unsigned)geteuid (), at + 1)
              : xstrdup (text);
}

static void play (struct state *state, const char *const *history)
{
    for (; *history; history++) {
        char *event = ours (*history);

        happen (state, event);
        free (event);
    }
}

static void test_users (void **unused)
{
    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct engine engine = { .dir = (char *)".", .state = STATE_INIT };
        struct error err = ERROR_INIT;

        print_message ("# %s\n", cases[i].what);
        play (&engine.state, cases[i].history);
        assert_int_equal (home_check_user (&engine, &err),
                          cases[i].other ? -1 : 0);
        if (cases[i].other)
            assert_non_null (strstr (err.text, "(" OTHERS ")"));
        state_release (&engine.state);
    }
}

/* Only where jobs may be asked for does it matter; and both the path and the
 * inode have to be others.
 */
static void test_places (void **unused)
{
    static const struct {
        const char *path, *inode; /* '=': as they are */
        bool elsewhere;
    } homes[] = {
        { "=", "=", false },
        { "/elsewhere", "=", false }, /* another name of the mount */
        { "=", "1:2", false },        /* a restore */
        { "/elsewhere", "1:2", true },
    };

    (void)unused;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        for (size_t k = 0; k < ARRAY_SIZE (homes); k++) {
            struct engine engine = { .dir = (char *)".", .state = STATE_INIT };
            struct json *home = json_object ();
            struct error err = ERROR_INIT;

            home_write (&engine, home);
            play (&engine.state, cases[i].history);
            engine.state.home.path = xstrdup (
                homes[k].path[0] == '=' ? json_get_string (home, "path")
                                        : homes[k].path);
            engine.state.home.inode = xstrdup (
                homes[k].inode[0] == '=' ? json_get_string (home, "inode")
                                         : homes[k].inode);
            assert_true (home_is_elsewhere (&engine) == homes[k].elsewhere);
            assert_int_equal (home_check (&engine, &err),
                              homes[k].elsewhere && cases[i].jobs ? -1 : 0);
            json_unref (home);
            state_release (&engine.state);
        }
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_users),
        cmocka_unit_test_setup_teardown (test_places, enter, leave),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
