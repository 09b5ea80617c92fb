/* SPDX-License-Identifier: BSD-3-Clause */
/* choose.c - from the candidates that were drawn, those to be labelled */
#include "config.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "selection/choose.h"
#include "selection/survey.h"

enum { HOLD_MORE = 16 };

/* One group's bins, and how far down each has been looked. */
struct bins {
    const struct survey *survey;
    struct draw *draws;
    const uint64_t *population;
    size_t *next;
    size_t n;
    size_t turn; /* of stratified: the bin to begin with */
    bool (*accept) (const struct drawn *frame, void *arg);
    void *arg;
};

struct chosen {
    struct drawn *frames;
    size_t n;
    size_t alloc;
};

size_t choose_hold (const struct survey *survey, bool may_refuse)
{
    const struct rules *rules = survey->rules;
    size_t hold = rules->quota;

    if (hold > 0 && rules->pick == PICK_DIVERSE)
        hold *= rules->pool;
    return hold > 0 && may_refuse ? hold + hold / 4 + HOLD_MORE : hold;
}

/* Does bin i hold another frame that is accepted? */
static bool look (struct bins *bins, size_t i)
{
    const struct draw *draw = &bins->draws[i];

    while (bins->next[i] < draw->n && bins->accept
           && !bins->accept (&draw->frames[bins->next[i]], bins->arg))
        bins->next[i]++;
    return bins->next[i] < draw->n;
}

/* Of a frame's key, uniform in (0, 1). */
static double uniform (const struct drawn *frame)
{
    return ((double)(frame->key >> 11) + 0.5) * 0x1p-53;
}

/* The bin whose best frame has the smallest weighted key. */
static size_t best_bin (struct bins *bins)
{
    size_t best = bins->n;
    double least = INFINITY;

    for (size_t i = 0; i < bins->n; i++) {
        double weighted;

        if (!look (bins, i))
            continue;
        weighted = -log1p (-uniform (&bins->draws[i].frames[bins->next[i]]))
                   * (double)bins->population[i];
        if (weighted < least) {
            least = weighted;
            best = i;
        }
    }
    return best;
}

static size_t next_bin (struct bins *bins)
{
    for (size_t i = 0; i < bins->n; i++) {
        size_t bin = (bins->turn + i) % bins->n;

        if (look (bins, bin)) {
            bins->turn = bin + 1;
            return bin;
        }
    }
    return bins->n;
}

/* The next frame of the group; NULL when there is none. */
static const struct drawn *take_next (struct bins *bins)
{
    bool weighted = bins->survey->rules->pick == PICK_INVERSE_POPULATION;
    size_t bin = weighted ? best_bin (bins) : next_bin (bins);

    if (bin == bins->n)
        return NULL;
    return &bins->draws[bin].frames[bins->next[bin]++];
}

/* Were candidates of a bin that is used up not held? */
static bool ran_out (const struct bins *bins)
{
    for (size_t i = 0; i < bins->n; i++) {
        if (bins->next[i] == bins->draws[i].n
            && bins->population[i] > bins->draws[i].n)
            return true;
    }
    return false;
}

static void add (struct chosen *chosen, const struct drawn *frame)
{
    chosen->frames = grow_array (chosen->frames, chosen->n, &chosen->alloc,
                                 sizeof (*chosen->frames));
    chosen->frames[chosen->n++] = *frame;
}

/* The quota of a group; a pool when more is to be seen than taken. */
static size_t wanted (const struct survey *survey, size_t group)
{
    const struct rules *rules = survey->rules;
    uint64_t frames[FRAME_CLASSES];
    size_t quota;

    survey_group_frames (survey, group, frames);
    quota = rules_quota (rules, frames);
    return rules->pick == PICK_DIVERSE ? quota * rules->pool : quota;
}

static bool choose_group (struct bins *bins,
                          size_t group,
                          bool last,
                          struct chosen *chosen)
{
    const struct rules *rules = bins->survey->rules;
    size_t before = chosen->n, quota = wanted (bins->survey, group);
    const struct drawn *frame;

    while (chosen->n - before < quota && (frame = take_next (bins)))
        add (chosen, frame);
    if (chosen->n - before < quota && !last && ran_out (bins))
        return false;
    if (chosen->n - before < rules->minimum) /* also of a pool */
        chosen->n = before;
    return true;
}

bool choose_frames (struct survey *survey,
                    bool (*accept) (const struct drawn *frame, void *arg),
                    void *arg,
                    bool last,
                    struct drawn **chosen_frames,
                    size_t *n)
{
    size_t n_bins = survey->rules->n_bins;
    struct chosen chosen = { 0 };
    bool enough = true;

    for (size_t group = 0; enough && group < survey->n_groups; group++) {
        struct bins bins = {
            .survey = survey,
            .draws = survey->draws + group * n_bins,
            .population = survey->population + group * n_bins,
            .next = xcalloc (n_bins, sizeof (*bins.next)),
            .n = n_bins,
            .accept = accept,
            .arg = arg,
        };

        for (size_t i = 0; i < n_bins; i++)
            draw_rank (&bins.draws[i]);
        enough = choose_group (&bins, group, last, &chosen);
        free (bins.next);
    }
    if (!enough) {
        free (chosen.frames);
        return false;
    }
    drawn_sort (chosen.frames, chosen.n);
    *chosen_frames = chosen.frames;
    *n = chosen.n;
    return true;
}
