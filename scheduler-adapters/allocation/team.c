/* SPDX-License-Identifier: BSD-3-Clause */
/* team.c - runners that run an element of several nodes together: what comes
 * next (pure), and the files
 */
#include "base/base.h"

#include <unistd.h>

#include "allocation/team.h"
#include "base/file.h"

enum { TEXT_MAX_BYTES = 1 << 16, ID_MAX = 511 };

/* --- deciding --- */

static struct team_runner *find (const struct team *team, const char *id)
{
    for (size_t i = 0; i < team->n; i++) {
        if (strcmp (team->v[i].id, id) == 0)
            return &team->v[i];
    }
    return NULL;
}

static bool is_alive (const struct team *team, const char *id)
{
    const struct team_runner *runner = find (team, id);

    return runner && runner->alive;
}

/* The number of nodes that are offered. */
static int count_offers (const struct team *team)
{
    int n = 0;

    for (size_t i = 0; i < team->n; i++) {
        bool counts = team->v[i].offers && team->v[i].alive;

        for (size_t j = 0; counts && j < i; j++)
            counts = !(team->v[j].offers && team->v[j].alive
                       && strcmp (team->v[j].node, team->v[i].node) == 0);
        n += counts;
    }
    return n;
}

static bool are_ready (const struct team *team)
{
    for (size_t i = 0; i < team->n_chosen; i++) {
        if (!team->v[i].ready)
            return false;
    }
    return true;
}

static enum team_step decide_forming (const struct team *team,
                                      const struct team_self *self)
{
    const struct team_runner *us = find (team, self->id);
    bool organizes = strcmp (team->organizer, self->id) == 0;
    int offers = count_offers (team);

    if (!is_alive (team, team->organizer)
        || (organizes && (!self->wanted || self->waited_s > TEAM_PATIENCE_S)))
        return TEAM_CLOSE;
    if (self->can_join && !(us && us->offers))
        return TEAM_OFFER;
    if (organizes && offers >= team->nodes
        && (offers >= self->others || self->waited_s > TEAM_OFFERS_S))
        return TEAM_CHOOSE;
    return us && us->offers ? TEAM_WAIT : TEAM_NOTHING;
}

static enum team_step decide_gathering (const struct team *team,
                                        const struct team_self *self)
{
    const struct team_runner *us = find (team, self->id);
    bool leads = us == &team->v[0];

    for (size_t i = 0; i < team->n_chosen; i++) {
        if (!team->v[i].alive)
            return TEAM_CLOSE;
    }
    if (leads && !self->wanted)
        return TEAM_CLOSE;
    if (!us || (size_t)(us - team->v) >= team->n_chosen)
        return TEAM_NOTHING;
    if (!us->ready)
        return TEAM_RESERVE;
    return leads && are_ready (team) ? TEAM_BEGIN : TEAM_WAIT;
}

enum team_step team_decide (const struct team *team,
                            const struct team_self *self)
{
    if (team->number == 0 || team->closed)
        return TEAM_NOTHING;
    return team->n_chosen > 0 ? decide_gathering (team, self)
                              : decide_forming (team, self);
}

static bool is_node_among (const struct team *team, size_t n, const char *node)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp (team->v[i].node, node) == 0)
            return true;
    }
    return false;
}

/* Of those behind the first 'from' the one with the least load on a node of its
 * own; -1: none.
 */
static ssize_t find_least (const struct team *team, size_t from)
{
    ssize_t best = -1;

    for (size_t i = from; i < team->n; i++) {
        const struct team_runner *r = &team->v[i];

        if (!r->offers || !r->alive || is_node_among (team, from, r->node))
            continue;
        if (best < 0 || r->load < team->v[best].load
            || (r->load == team->v[best].load
                && strcmp (r->id, team->v[best].id) < 0))
            best = (ssize_t)i;
    }
    return best;
}

bool team_choose (struct team *team)
{
    size_t n = 0;

    while (n < (size_t)team->nodes) {
        ssize_t best = find_least (team, n);
        struct team_runner one;

        if (best < 0)
            return false;
        one = team->v[best];
        team->v[best] = team->v[n];
        team->v[n++] = one;
    }
    team->n_chosen = n;
    return true;
}

/* --- reading --- */

static char *file_of (const char *spool, int64_t number, const char *what)
{
    return xasprintf ("%s/teams/%" PRId64 "%s", spool, number, what);
}

/* Its text; 1: it is not there. */
static int read_text (const char *path, struct strbuf *text, struct error *err)
{
    int rc = file_look (path, err);

    strbuf_reset (text);
    if (rc > 0)
        return file_read (path, TEXT_MAX_BYTES, text, err) < 0 ? -1 : 0;
    return rc < 0 ? -1 : 1;
}

static struct team_runner *add (struct team *team,
                                const struct runners *runners, const char *id)
{
    const struct runner *runner = runners_find (runners, id);
    struct team_runner *us = find (team, id);

    if (us)
        return us;
    team->v = xrealloc (team->v, (team->n + 1) * sizeof (*team->v));
    us = &team->v[team->n++];
    *us = (struct team_runner){ .id = xstrdup (id),
                                .node = runner ? runner->node : id,
                                .alive = runner && runner->alive };
    return us;
}

static int read_head (const char *spool, const struct runners *runners,
                      struct team *team, struct error *err)
{
    _cleanup_free_ char *path = file_of (spool, team->number, "");
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    char token[64], id[ID_MAX + 1];
    int rc = read_text (path, &text, err);

    if (rc == 0
        && sscanf (text.buf, "%63s %" SCNd64 " %d %511s", token, &team->element,
                   &team->nodes, id)
               != 4)
        rc = error_set (err, "'%s' cannot be read", path);
    if (rc == 0) {
        team->token = xstrdup (token);
        team->organizer = xstrdup (id);
        add (team, runners, id);
    }
    return rc;
}

/* In their order, before anybody else. */
static int read_chosen (const char *spool, const struct runners *runners,
                        struct team *team, struct error *err)
{
    _cleanup_free_ char *path = file_of (spool, team->number, ".chosen");
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    _cleanup_ (strvec_release) struct strvec ids = STRVEC_INIT;
    int rc = read_text (path, &text, err);

    if (rc == 0)
        strvec_split (&ids, text.buf, "\n");
    for (size_t i = 0; i < ids.n; i++)
        add (team, runners, ids.v[i]);
    team->n_chosen = ids.n;
    return rc < 0 ? -1 : 0;
}

static int read_offer (const char *path, const struct runners *runners,
                       struct team *team, bool ready, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    char id[ID_MAX + 1];
    int load, rc = read_text (path, &text, err);

    if (rc == 0 && sscanf (text.buf, "%d %511s", &load, id) == 2) {
        struct team_runner *runner = add (team, runners, id);

        runner->ready = runner->ready || ready;
        runner->offers = true;
        runner->load = load;
    }
    return rc < 0 ? -1 : 0;
}

static int read_offers (const char *spool, const struct strvec *names,
                        const struct runners *runners, struct team *team,
                        struct error *err)
{
    _cleanup_free_ char *offer = xasprintf ("%" PRId64 ".offer.", team->number);
    _cleanup_free_ char *ready = xasprintf ("%" PRId64 ".ready.", team->number);
    int rc = 0;

    for (size_t i = 0; rc == 0 && i < names->n; i++) {
        const char *name = names->v[i];
        bool is_ready = strncmp (name, ready, strlen (ready)) == 0;
        char *path;

        if (!is_ready && strncmp (name, offer, strlen (offer)) != 0)
            continue;
        path = xasprintf ("%s/teams/%s", spool, name);
        rc = read_offer (path, runners, team, is_ready, err);
        free (path);
    }
    return rc;
}

/* 0: there is none. */
static int64_t newest (const struct strvec *names)
{
    int64_t most = 0;

    for (size_t i = 0; i < names->n; i++) {
        char *end;
        int64_t n = strtoll (names->v[i], &end, 10);

        if (*end == '\0' && n > most)
            most = n;
    }
    return most;
}

int team_read (const char *spool, const struct runners *runners,
               struct team *team, struct error *err)
{
    _cleanup_free_ char *dir = path_join (spool, "teams");
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;
    enum team_stage stage = TEAM_OPEN;
    bool lacks = false;
    int rc = file_look (dir, err);

    memset (team, 0, sizeof (*team));
    if (rc > 0)
        rc = file_list_dir (dir, &names, err);
    team->number = newest (&names);
    if (rc == 0 && team->number > 0) {
        rc = team_stage (spool, team->number, &stage, err);
        team->closed = stage != TEAM_OPEN;
        if (rc == 0 && !team->closed
            && (rc = read_chosen (spool, runners, team, err)) == 0
            && (rc = read_head (spool, runners, team, err)) == 0)
            rc = read_offers (spool, &names, runners, team, err);
        team->closed = team->closed || rc > 0; /* removed meanwhile */
    }
    if (rc < 0)
        team_release (team);
    for (size_t i = 0; rc == 0 && i < team->n; i++)
        lacks = lacks || !runners_find (runners, team->v[i].id);
    return rc < 0 ? -1 : lacks;
}

void team_release (struct team *team)
{
    for (size_t i = 0; i < team->n; i++)
        free (team->v[i].id);
    free (team->v);
    free (team->token);
    free (team->organizer);
    memset (team, 0, sizeof (*team));
}

/* What has no head is being removed. */
int team_stage (const char *spool, int64_t number, enum team_stage *stage,
                struct error *err)
{
    _cleanup_free_ char *head = file_of (spool, number, "");
    _cleanup_free_ char *closed = file_of (spool, number, ".closed");
    _cleanup_free_ char *given_free = file_of (spool, number, ".free");
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;
    int there = file_look (head, err);
    int open = there > 0 ? read_text (closed, &text, err) : there;
    int is_free = open == 0 && there > 0 ? file_look (given_free, err) : 0;

    if (there == 0)
        *stage = TEAM_OVER;
    else if (open > 0)
        *stage = TEAM_OPEN;
    else
        *stage =
            is_free || strcmp (text.buf, "begun") != 0 ? TEAM_OVER : TEAM_BEGUN;
    return there < 0 || open < 0 || is_free < 0 ? -1 : 0;
}

/* --- writing --- */

static int say (const char *spool, int64_t number, const char *what,
                const char *text, struct error *err)
{
    _cleanup_free_ char *dir = path_join (spool, "teams");
    _cleanup_free_ char *name = xasprintf ("%" PRId64 "%s", number, what);

    return create_whole (dir, name, text, err);
}

/* What is left of a team before the newest whose members are free. */
static void remove_old (const char *spool, int64_t newest_number)
{
    _cleanup_free_ char *dir = path_join (spool, "teams");
    _cleanup_ (strvec_release) struct strvec names = STRVEC_INIT;

    file_list_dir (dir, &names, NULL);
    for (size_t i = 0; i < names.n; i++) {
        int64_t number = strtoll (names.v[i], NULL, 10);
        enum team_stage stage = TEAM_OPEN;

        if (number > 0 && number < newest_number
            && team_stage (spool, number, &stage, NULL) == 0
            && stage == TEAM_OVER) {
            _cleanup_free_ char *path = path_join (dir, names.v[i]);
            _cleanup_free_ char *head = file_of (spool, number, "");

            unlink (head);
            unlink (path);
        }
    }
}

int team_create (const char *spool, int64_t last, const char *token,
                 int64_t element, int nodes, const char *id, struct error *err)
{
    _cleanup_free_ char *dir = path_join (spool, "teams");
    _cleanup_free_ char *text =
        xasprintf ("%s %" PRId64 " %d %s\n", token, element, nodes, id);
    int rc = file_make_dirs (dir, err);

    if (rc == 0)
        rc = say (spool, last + 1, "", text, err);
    if (rc == 0)
        remove_old (spool, last);
    return rc;
}

static int say_of_runner (const char *spool, int64_t number, const char *what,
                          const char *id, int load, struct error *err)
{
    _cleanup_free_ char *name = xasprintf (".%s.%s", what, path_base (id));
    _cleanup_free_ char *text = xasprintf ("%d %s\n", load, id);

    return say (spool, number, name, text, err);
}

int team_offer (const char *spool, int64_t number, const char *id, int load,
                struct error *err)
{
    return say_of_runner (spool, number, "offer", id, load, err);
}

int team_ready (const char *spool, int64_t number, const char *id,
                struct error *err)
{
    return say_of_runner (spool, number, "ready", id, 0, err);
}

int team_write_chosen (const char *spool, const struct team *team,
                       struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf text = STRBUF_INIT;

    for (size_t i = 0; i < team->n_chosen; i++)
        strbuf_addf (&text, "%s\n", team->v[i].id);
    return say (spool, team->number, ".chosen", text.buf, err);
}

int team_close (const char *spool, int64_t number, bool begun,
                struct error *err)
{
    return say (spool, number, ".closed", begun ? "begun" : "off", err);
}

int team_free (const char *spool, int64_t number, struct error *err)
{
    return say (spool, number, ".free", "", err);
}
