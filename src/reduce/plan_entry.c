/* SPDX-License-Identifier: BSD-3-Clause */
/* plan_entry.c - the trajectories of a plan, of which there may be 10^5 */
#include "config.h"

#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/compiler.h"
#include "base/json_text.h"
#include "reduce/plan_entry.h"
#include "reduce/plan_file.h"

enum { DIGITS_MAX = 18 }; /* certainly fit */

enum key {
    KEY_TASK,
    KEY_PART,
    KEY_EXPECTED_FRAMES,
    KEY_SYSTEM,
    KEY_TRAJECTORY,
    KEY_DEVIATIONS,
    KEYS,
};

/* A value of the text: a number, or a text that is lent. */
struct word {
    const char *text; /* NULL: not there */
    size_t len;
    int64_t number;
};

static bool is_count (enum key key)
{
    return key <= KEY_EXPECTED_FRAMES;
}

bool plan_entry_names_system (const char *name)
{
    static const char characters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                     "abcdefghijklmnopqrstuvwxyz0123456789_.-";

    return name[0] != '\0' && name[strspn (name, characters)] == '\0'
           && !strchr ("_.-", name[0]) && strlen (name) <= 200;
}

/* --- words of the text --- */

static bool take_sign (const char **at, const char *end, char c)
{
    const char *next = json_text_skip_space (*at, end);

    if (next == end || *next != c)
        return false;
    *at = json_text_skip_space (next + 1, end);
    return true;
}

/* A text of printable ASCII without escapes. */
static bool take_text (const char **at, const char *end, struct word *word)
{
    const char *next = *at;

    if (next == end || *next != '"')
        return false;
    word->text = ++next;
    while (next < end && *next >= ' ' && *next <= '~' && *next != '"'
           && *next != '\\')
        next++;
    word->len = (size_t)(next - word->text);
    if (next == end || *next != '"')
        return false;
    *at = next + 1;
    return true;
}

static bool take_count (const char **at, const char *end, struct word *word)
{
    const char *next = *at;

    word->text = next;
    word->number = 0;
    while (next < end && *next >= '0' && *next <= '9'
           && next - word->text < DIGITS_MAX)
        word->number = 10 * word->number + (*next++ - '0');
    word->len = (size_t)(next - word->text);
    *at = next;
    return word->len == 1 || (word->len > 1 && word->text[0] != '0');
}

static bool take_key (const char **at, const char *end, enum key *key)
{
    static const char *const names[] = {
        [KEY_TASK] = "task",
        [KEY_PART] = "part",
        [KEY_EXPECTED_FRAMES] = "expected_frames",
        [KEY_SYSTEM] = "system",
        [KEY_TRAJECTORY] = "trajectory",
        [KEY_DEVIATIONS] = "deviations",
    };
    struct word word;

    if (!take_text (at, end, &word))
        return false;
    for (*key = 0; *key < KEYS; (*key)++) {
        if (strncmp (names[*key], word.text, word.len) == 0
            && names[*key][word.len] == '\0')
            return take_sign (at, end, ':');
    }
    return false;
}

/* Every key once. */
static bool take_words (const char **at,
                        const char *end,
                        struct word words[KEYS])
{
    enum key key;

    if (!take_sign (at, end, '{'))
        return false;
    do {
        if (!take_key (at, end, &key) || words[key].text)
            return false;
        if (!(is_count (key) ? take_count : take_text) (at, end, &words[key]))
            return false;
    } while (take_sign (at, end, ','));
    return take_sign (at, end, '}');
}

/* --- what they mean --- */

static bool is_whole (const struct word words[KEYS])
{
    static const enum key needed[] = { KEY_TASK, KEY_EXPECTED_FRAMES,
                                       KEY_SYSTEM, KEY_DEVIATIONS };

    for (size_t i = 0; i < ARRAY_SIZE (needed); i++) {
        if (!words[needed[i]].text)
            return false;
    }
    for (enum key key = KEY_SYSTEM; key < KEYS; key++) {
        if (words[key].text && words[key].len == 0)
            return false;
    }
    return true;
}

static const char *keep (struct arena *texts, const struct word *word)
{
    return word->text ? arena_strndup (texts, word->text, word->len) : NULL;
}

/* The name of the word, which most often is that of the entry before; NULL when
 * it is none.
 */
static const char *keep_system (struct arena *texts,
                                const struct word *word,
                                const struct trajectory *before)
{
    const char *name = before ? before->name : NULL;

    if (name && strncmp (name, word->text, word->len) == 0
        && name[word->len] == '\0')
        return name;
    name = keep (texts, word);
    return plan_entry_names_system (name) ? name : NULL;
}

bool plan_entry_read (const char **at,
                      const char *end,
                      struct arena *texts,
                      const struct trajectory *before,
                      struct trajectory *trajectory)
{
    struct word words[KEYS] = { 0 };
    const char *next = *at, *name;

    if (!take_words (&next, end, words) || !is_whole (words))
        return false;
    name = keep_system (texts, &words[KEY_SYSTEM], before);
    if (!name)
        return false;
    *trajectory = (struct trajectory){
        .task = words[KEY_TASK].number,
        .part = words[KEY_PART].number,
        .name = name,
        .path = keep (texts, &words[KEY_TRAJECTORY]),
        .deviations = keep (texts, &words[KEY_DEVIATIONS]),
        .expected_frames = (uint64_t)words[KEY_EXPECTED_FRAMES].number,
    };
    *at = next;
    return true;
}
