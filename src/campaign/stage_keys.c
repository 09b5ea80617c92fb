/* SPDX-License-Identifier: BSD-3-Clause */
/* stage_keys.c - the keys of a stage, wherever one may stand */
#include "base/base.h"

#include "base/arena.h"
#include "campaign/container_file.h"
#include "campaign/plan.h"
#include "campaign/stage_keys.h"
#include "campaign/task_fields.h"

/* --- how they are read --- */

/* What it comes to follows from the operator. */
static void check_task (const struct yaml_node *node, void *unused)
{
    struct resources needs = { 0 };

    (void)unused;
    task_needs_read (node, &needs);
}

/* One name, or a list of them, the latest first. */
static void read_former_names (const struct yaml_node *node, void *member)
{
    const char *const **names = member;
    const char **one;
    const char *word;

    if (node->kind == YAML_SEQUENCE) {
        field_strings (node, names);
    } else if (field_text (node, &word) == 0) {
        one = arena_array (field_arena (node), 2, sizeof (*one));
        one[0] = word;
        *names = one;
    }
}

static void read_raw (const struct yaml_node *node, void *member)
{
    static const char *const words[] = {
        [RAW_UNTIL_DONE] = "until_done",
        [RAW_ALWAYS] = "always",
        [RAW_FAILED] = "failed",
        [RAW_NEVER] = "never",
    };
    const char *word;
    int i;

    if (field_text (node, &word) < 0)
        return;
    i = field_choose (node, word, words, ARRAY_SIZE (words), sizeof (words[0]),
                      "raw: unknown word '%s'", word);
    if (i >= 0)
        *(enum raw_rule *)member = (enum raw_rule)i;
}

/* --- the table --- */

enum {
    IN_BOTH = IN_STAGE | IN_FUNCTION,
    IN_ALL_STEPS = IN_STEP | IN_STEPS,
    IN_ALL = IN_BOTH | IN_PHASE | IN_DEFAULTS | IN_ALL_STEPS,
    PRIORITY_MAX = 1000000000, /* what schedulers with wide ranges take */
};

const struct stage_key stage_keys[] = {
    { FIELD_BY_RECORD ("uses", field_remark), IN_BOTH | IN_ALL_STEPS,
      STEPS_MAKE_IT, false },
    { FIELD_KEY ("with"), IN_BOTH | IN_PHASE | IN_STEP, STEPS_MAKE_IT, true },
    { FIELD_KEY ("steps"), IN_BOTH | IN_PHASE | IN_ALL_STEPS, STEPS_MAKE_IT,
      true },
    { FIELD_KEY ("type"), IN_FUNCTION, STEPS_MAKE_IT, false },
    { FIELD_KEY ("then"), IN_FUNCTION, STEPS_MAKE_IT, false },
    { FIELD_BY_RECORD ("profile", field_remark), IN_ALL, STEPS_HAVE_IT, false },
    { FIELD_BY_RECORD ("task", check_task), IN_ALL, STEPS_HAVE_IT, true },
    { FIELD_BY (struct stage, retry, retry_rules_read), IN_ALL, STEPS_HAVE_IT,
      true },
    { FIELD (struct stage, success, FRACTION),
      IN_BOTH | IN_PHASE | IN_ALL_STEPS, STEPS_HAVE_IT, false },
    { FIELD (struct stage, priority, COUNT, .least = -PRIORITY_MAX,
             .most = PRIORITY_MAX),
      IN_ALL, STEPS_HAVE_IT, false },
    { FIELD_KEY ("when"), IN_STAGE | IN_PHASE | IN_STEP, STEPS_HAVE_IT, false },
    { FIELD (struct stage, publish, BOOL), IN_BOTH, STEPS_HAVE_IT, false },
    { FIELD (struct stage, reuse, BOOL), IN_BOTH | IN_ALL_STEPS, STEPS_HAVE_IT,
      false },
    { FIELD_BY (struct stage, image, image_read), IN_BOTH | IN_ALL_STEPS,
      STEPS_HAVE_IT, false },
    { FIELD_KEY ("keep"), IN_BOTH | IN_ALL_STEPS, STEPS_HAVE_IT, true },
    { FIELD_BY (struct stage, raw, read_raw), IN_BOTH | IN_ALL_STEPS,
      STEPS_SAY_IT, false },
    { FIELD_BY (struct stage, renamed_from, read_former_names),
      IN_STAGE | IN_STEPS, STEPS_HAVE_IT, false },
    { FIELD_KEY ("node_map"), IN_BOTH | IN_ALL_STEPS, STEPS_SAY_IT, false },
    { .field = FIELDS_END },
};

const struct stage_key *stage_key_find (const char *key)
{
    for (const struct stage_key *row = stage_keys; row->field.key; row++) {
        if (strcmp (row->field.key, key) == 0)
            return row;
    }
    return NULL;
}

int stage_keys_read (const struct yaml_node *node, const char *name,
                     enum stage_key_place place, struct stage *stage)
{
    struct field fields[ARRAY_SIZE (stage_keys)];
    size_t n = 0;

    for (const struct stage_key *row = stage_keys; row->field.key; row++) {
        if (row->places & place)
            fields[n++] = row->field;
    }
    fields[n] = (struct field)FIELDS_END;
    return field_record (node, name, fields, stage);
}

int stage_keys_check (const struct yaml_node *node, const char *name,
                      enum stage_key_place place)
{
    struct stage unused = { 0 };

    retry_rules_default (unused.retry);
    return stage_keys_read (node, name, place, &unused);
}
