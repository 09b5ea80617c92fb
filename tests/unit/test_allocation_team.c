/* SPDX-License-Identifier: BSD-3-Clause */
/* test_allocation_team.c - runners that run an element of several nodes
 * together: what each does next, who is chosen, and what the files say
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "allocation/team.h"
#include "temp_dir.h"

/* A team in a line: "a o3" is runner a, which offers with a load of 3, "!"
 * behind its name: it is dead, "r": it is ready.  The node of a is a; that of
 * A is a, too.
 */
static void read_runners (const char *text, struct team *team)
{
    static struct team_runner v[8];
    static char ids[8][2], nodes[8][2];

    team->v = v;
    team->n = 0;
    for (const char *c = text; *c; c++) {
        struct team_runner *r = &v[team->n];

        if (*c == ' ')
            continue;
        snprintf (ids[team->n], 2, "%c", *c);
        snprintf (nodes[team->n], 2, "%c", *c | 0x20);
        *r = (struct team_runner){ .id = ids[team->n],
                                   .node = nodes[team->n],
                                   .alive = true };
        for (; c[1] && c[1] != ' '; c++) {
            r->alive = r->alive && c[1] != '!';
            r->ready = r->ready || c[1] == 'r';
            r->offers = r->offers || (c[1] >= '0' && c[1] <= '9');
            if (c[1] >= '0' && c[1] <= '9')
                r->load = c[1] - '0';
        }
        team->n++;
    }
}

static const char *const step_names[] = {
    [TEAM_NOTHING] = "nothing", [TEAM_WAIT] = "wait",
    [TEAM_OFFER] = "offer",     [TEAM_CHOOSE] = "choose",
    [TEAM_RESERVE] = "reserve", [TEAM_BEGIN] = "begin",
    [TEAM_CLOSE] = "close",
};

/* The organizer is a; two nodes are needed; three live that would do. */
static void test_steps (void **state)
{
    static const struct {
        const char *runners;
        size_t n_chosen;
        const char *who;
        bool can_join, wanted;
        double waited_s;
        const char *step;
    } cases[] = {
        /* offers */
        { "a", 0, "a", true, true, 0, "offer" },
        { "a", 0, "b", true, true, 0, "offer" },
        { "a", 0, "b", false, true, 0, "nothing" },
        { "a0", 0, "a", true, true, 0, "wait" },
        { "a0 b0", 0, "b", true, true, 0, "wait" },
        { "a0 b0", 0, "a", true, true, 5, "wait" },
        { "a0 b0 c0", 0, "a", true, true, 0, "choose" },
        { "a0 b0 c0", 0, "b", true, true, 0, "wait" },
        { "a0 b0 c0", 0, "d", false, true, 0, "nothing" },
        /* not all of them say anything */
        { "a0 b0", 0, "a", true, true, 11, "choose" },
        { "a0", 0, "a", true, true, 11, "wait" },
        { "a0", 0, "a", true, true, 61, "close" },
        { "a0 b0", 0, "b", true, true, 61, "wait" },
        /* two of one node are one, a dead one is none */
        { "a0 A0", 0, "a", true, true, 11, "wait" },
        { "a0 b0!", 0, "a", true, true, 11, "wait" },
        { "a0 b0!", 0, "b", true, true, 11, "wait" },
        /* nobody organizes */
        { "a!0 b0", 0, "b", true, true, 0, "close" },
        { "a!", 0, "c", false, false, 0, "close" },
        /* the element was cancelled, or the job is about to end */
        { "a0 b0 c0", 0, "a", false, false, 0, "close" },
        { "a0 b0 c0", 0, "b", false, false, 0, "wait" },
        { "a0", 0, "b", false, false, 0, "nothing" },
        /* chosen are b and c: b leads */
        { "b1 c2 a0", 2, "a", true, true, 0, "nothing" },
        { "b1 c2 a0", 2, "b", true, true, 0, "reserve" },
        { "b1 c2 a0", 2, "c", true, true, 0, "reserve" },
        { "b1r c2 a0", 2, "b", true, true, 0, "wait" },
        { "b1 c2r a0", 2, "c", true, true, 0, "wait" },
        { "b1 c2r a0", 2, "b", true, true, 0, "reserve" },
        { "b1r c2r a0", 2, "b", true, true, 0, "begin" },
        { "b1r c2r a0", 2, "c", true, true, 0, "wait" },
        { "b1r c2r a0", 2, "a", true, true, 99, "nothing" },
        /* the organizer has done its part */
        { "b1r c2r a!0", 2, "b", true, true, 0, "begin" },
        /* one of them is lost: whoever sees that */
        { "b1r c2!r a0", 2, "b", true, true, 0, "close" },
        { "b1!r c2r a0", 2, "c", true, true, 0, "close" },
        { "b1!r c2r a0", 2, "a", true, true, 0, "close" },
        /* not wanted any more: the lead says so */
        { "b1r c2r a0", 2, "b", false, false, 0, "close" },
        { "b1 c2 a0", 2, "b", false, false, 0, "close" },
        { "b1r c2r a0", 2, "c", false, false, 0, "wait" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        char organizer[] = "a";
        struct team team = { .number = 1,
                             .nodes = 2,
                             .organizer = organizer,
                             .n_chosen = cases[i].n_chosen };
        struct team_self self = { .id = cases[i].who,
                                  .can_join = cases[i].can_join,
                                  .wanted = cases[i].wanted,
                                  .others = 3,
                                  .waited_s = cases[i].waited_s };

        print_message ("# %s, of %zu: %s\n", cases[i].runners,
                       cases[i].n_chosen, cases[i].who);
        read_runners (cases[i].runners, &team);
        assert_string_equal (step_names[team_decide (&team, &self)],
                             cases[i].step);
        team.closed = true;
        assert_int_equal (team_decide (&team, &self), TEAM_NOTHING);
        team.closed = false;
        team.number = 0;
        assert_int_equal (team_decide (&team, &self), TEAM_NOTHING);
    }
}

static void test_who_is_chosen (void **state)
{
    static const struct {
        const char *runners;
        int nodes;
        const char *chosen; /* "": too few */
    } cases[] = {
        { "a3 b1 c2", 2, "bc" },     { "a0 b0 c0", 2, "ab" },
        { "c0 b0 a0", 2, "ab" },     { "a0 A0 b5", 2, "Ab" },
        { "a0 b0! c9", 2, "ac" },    { "a b1 c9", 2, "bc" },
        { "a0 b0!", 2, "" },         { "a0 A0", 2, "" },
        { "d1 c1 b1 a9", 3, "bcd" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (cases); i++) {
        struct team team = { .number = 1, .nodes = cases[i].nodes };
        char chosen[8] = "";

        print_message ("# %s\n", cases[i].runners);
        read_runners (cases[i].runners, &team);
        if (team_choose (&team)) {
            for (size_t k = 0; k < team.n_chosen; k++)
                strcat (chosen, team.v[k].id);
        }
        assert_string_equal (chosen, cases[i].chosen);
    }
}

/* --- the files --- */

static const char *const names[] = { "j.0/a", "j.0/b", "j.0/c" };

static struct runners three_runners (void)
{
    struct runners runners = { .n = 3 };

    runners.v = calloc (3, sizeof (*runners.v));
    for (size_t i = 0; i < 3; i++)
        runners.v[i] = (struct runner){ .id = strdup (names[i]),
                                        .node = strdup (names[i] + 4),
                                        .alive = true };
    return runners;
}

static struct team read_team (const struct runners *runners, int expected)
{
    struct error err = ERROR_INIT;
    struct team team;
    int rc = team_read ("spool", runners, &team, &err);

    if (rc != expected)
        fail_msg ("%d: %s", rc, err.text);
    return team;
}

static void expect_stage (int64_t number, enum team_stage expected)
{
    enum team_stage stage;

    assert_int_equal (team_stage ("spool", number, &stage, NULL), 0);
    assert_int_equal (stage, expected);
}

static void test_a_team_is_formed_once (void **state)
{
    struct runners runners = three_runners ();
    struct team team = read_team (&runners, 0);

    (void)state;
    assert_int_equal (team.number, 0);
    assert_int_equal (team_create ("spool", 0, "abc", 7, 2, names[0], NULL), 0);
    assert_int_equal (team_create ("spool", 0, "xyz", 0, 2, names[1], NULL), 1);
    assert_int_equal (team_offer ("spool", 1, names[0], 3, NULL), 0);
    assert_int_equal (team_offer ("spool", 1, names[2], 1, NULL), 0);
    assert_int_equal (team_offer ("spool", 1, names[2], 2, NULL), 1);
    team = read_team (&runners, 0);
    assert_int_equal (team.number, 1);
    assert_string_equal (team.token, "abc");
    assert_int_equal (team.element, 7);
    assert_string_equal (team.organizer, names[0]);
    assert_false (team.closed);
    assert_true (team_choose (&team));
    assert_int_equal (team_write_chosen ("spool", &team, NULL), 0);
    team_release (&team);

    team = read_team (&runners, 0);
    assert_int_equal (team.n_chosen, 2);
    assert_string_equal (team.v[0].id, names[2]);
    assert_string_equal (team.v[1].id, names[0]);
    assert_false (team.v[0].ready);
    team_release (&team);
    assert_int_equal (team_ready ("spool", 1, names[2], NULL), 0);
    team = read_team (&runners, 0);
    assert_true (team.v[0].ready);
    assert_false (team.v[1].ready);
    team_release (&team);

    expect_stage (1, TEAM_OPEN);
    assert_int_equal (team_close ("spool", 1, true, NULL), 0);
    assert_int_equal (team_close ("spool", 1, false, NULL), 1);
    expect_stage (1, TEAM_BEGUN);
    team = read_team (&runners, 0);
    assert_true (team.closed);
    team_release (&team);
    runners_release (&runners);
}

/* Members of a team that runs read of it while others are formed; what nobody
 * reads any more is removed.
 */
static void test_old_teams_go (void **state)
{
    (void)state;
    for (int64_t n = 0; n < 3; n++) {
        assert_int_equal (team_create ("spool", n, "abc", n, 2, names[0], NULL),
                          0);
        assert_int_equal (team_offer ("spool", n + 1, names[0], 0, NULL), 0);
        assert_int_equal (team_close ("spool", n + 1, n != 1, NULL), 0);
    }
    expect_stage (1, TEAM_BEGUN);
    expect_stage (2, TEAM_OVER);
    assert_true (file_exists ("spool/teams/1.offer.a"));
    assert_int_equal (team_free ("spool", 1, NULL), 0);
    expect_stage (1, TEAM_OVER);
    assert_int_equal (team_create ("spool", 3, "abc", 3, 2, names[0], NULL), 0);
    assert_false (file_exists ("spool/teams/1.offer.a"));
    assert_false (file_exists ("spool/teams/1"));
    assert_false (file_exists ("spool/teams/2.closed"));
    expect_stage (1, TEAM_OVER);
    expect_stage (3, TEAM_BEGUN);
    expect_stage (4, TEAM_OPEN);
}

/* What was seen of the runners may be older than the team. */
static void test_a_runner_that_was_not_seen (void **state)
{
    struct runners runners = three_runners ();
    struct team team;

    (void)state;
    assert_int_equal (team_create ("spool", 0, "abc", 0, 2, names[0], NULL), 0);
    assert_int_equal (team_offer ("spool", 1, "j.1/late", 0, NULL), 0);
    team = read_team (&runners, 1);
    assert_true (team.v[0].alive);
    assert_false (team.v[1].alive);
    team_release (&team);
    runners_release (&runners);
}

static int enter (void **state)
{
    struct temp_dir *dir = malloc (sizeof (*dir));

    assert_non_null (dir);
    temp_dir_enter (dir);
    *state = dir;
    return 0;
}

static int leave (void **state)
{
    temp_dir_leave (*state);
    free (*state);
    return 0;
}

#define IN_DIR(test) cmocka_unit_test_setup_teardown (test, enter, leave)

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_steps),
        cmocka_unit_test (test_who_is_chosen),
        IN_DIR (test_a_team_is_formed_once),
        IN_DIR (test_old_teams_go),
        IN_DIR (test_a_runner_that_was_not_seen),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
