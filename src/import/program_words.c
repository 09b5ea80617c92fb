/* SPDX-License-Identifier: BSD-3-Clause */
/* program_words.c - a command line of a machine file taken apart */
#include "base/base.h"

#include "base/file.h"
#include "base/json.h"
#include "import/program_words.h"

/* --- words --- */

/* One word of a line, or what stands between commands. */
enum token { TOKEN_END, TOKEN_WORD, TOKEN_THEN, TOKEN_OR, TOKEN_REDIRECT };

struct line {
    const char *at;
};

static int take_quoted (struct line *line, char quote, struct strbuf *word,
                        struct error *err)
{
    const char *end = strchr (line->at, quote);

    if (!end)
        return error_set (err, "a quote that does not end");
    strbuf_add (word, line->at, (size_t)(end - line->at));
    line->at = end + 1;
    return 0;
}

static int take_word (struct line *line, struct strbuf *word, struct error *err)
{
    strbuf_reset (word);
    while (*line->at && !isspace ((unsigned char)*line->at)
           && !strchr (";&|<>", *line->at)) {
        char c = *line->at++;

        if (c == '`' || (c == '$' && *line->at == '('))
            return error_set (err, "a command within the command");
        if (c == '"' || c == '\'') {
            if (take_quoted (line, c, word, err) < 0)
                return -1;
        } else {
            strbuf_add_char (word, c);
        }
    }
    return 0;
}

/* -1 with 'err' for what only a shell can do. */
static int next_token (struct line *line, struct strbuf *word,
                       struct error *err)
{
    while (isspace ((unsigned char)*line->at))
        line->at++;
    if (!*line->at)
        return TOKEN_END;
    if (strncmp (line->at, "&&", 2) == 0 || strncmp (line->at, "||", 2) == 0) {
        line->at += 2;
        return line->at[-1] == '&' ? TOKEN_THEN : TOKEN_OR;
    }
    if (*line->at == ';') {
        line->at++;
        return TOKEN_THEN;
    }
    if (*line->at == '|' || (*line->at == '&' && line->at[1] != '>'))
        return error_set (err, "a pipe or a job in the background");
    if (strchr ("<>&", *line->at)) {
        line->at += strspn (line->at, "<>&");
        return TOKEN_REDIRECT;
    }
    return take_word (line, word, err) < 0 ? -1 : TOKEN_WORD;
}

/* --- commands --- */

static bool is_assignment (const char *word)
{
    size_t len = strspn (word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                               "abcdefghijklmnopqrstuvwxyz0123456789_");

    return len > 0 && word[len] == '=' && !isdigit ((unsigned char)word[0]);
}

static void take_assignments (struct strvec *words, struct json *env)
{
    size_t n = 0;

    while (n < words->n && is_assignment (words->v[n])) {
        const char *equals = strchr (words->v[n], '=');
        char *name = xstrndup (words->v[n], (size_t)(equals - words->v[n]));

        json_set (env, name, json_string (equals + 1));
        free (name);
        n++;
    }
    for (size_t i = 0; i < n; i++)
        free (words->v[i]);
    if (n > 0) {
        memmove (words->v, words->v + n,
                 (words->n - n + 1) * sizeof (*words->v));
        words->n -= n;
    }
}

static struct json *list_of (const struct strvec *words)
{
    struct json *list = json_array ();

    for (size_t i = 0; i < words->n; i++)
        json_push (list, json_string (words->v[i]));
    return list;
}

/* Options of launchers that take a word. */
static bool takes_word (const char *option)
{
    static const char *const options[] = {
        "-N",
        "-c",
        "-ppn",
        "-perhost",
        "-npernode",
        "--npernode",
        "--ntasks-per-node",
        "--tasks-per-node",
        "--cpu-bind",
        "--mpi",
        "--distribution",
        "-f",
        "-hostfile",
        "--hostfile",
        "-machinefile",
        "-host",
        "--host",
        "-H",
        "--bind-to",
        "-bind-to",
        "--map-by",
        "-map-by",
        "-x",
        "-p",
        "--rank-by",
        "-cpus-per-proc",
        "--nodes",
        "--cpus-per-task",
        "--gpus-per-task",
        "-G",
        "-d",
        NULL,
    };

    return words_contain (options, option);
}

static bool takes_two_words (const char *option)
{
    static const char *const options[] = { "-genv", "-env",  "-mca",
                                           "--mca", "-gmca", NULL };

    return words_contain (options, option);
}

/* Options that say how many ranks there are, or how many on each node; what
 * they say, from behind '=' or from the next word.
 */
static bool is_count (const char *option, size_t len)
{
    static const char *const options[] = { "-n", "-np", "--ntasks", "--np",
                                           NULL };
    _cleanup_free_ char *name = xstrndup (option, len);

    return words_contain (options, name);
}

static bool is_count_per_node (const char *option, size_t len, bool srun)
{
    static const char *const options[] = { "--ntasks-per-node",
                                           "--tasks-per-node",
                                           "-npernode",
                                           "--npernode",
                                           "-ppn",
                                           "-perhost",
                                           NULL };
    _cleanup_free_ char *name = xstrndup (option, len);
    bool is = words_contain (options, name)
              || (!srun && strcmp (name, "-N") == 0); /* srun: nodes */

    return is;
}

/* A number of ranks; 0: it is none ("$SLURM_NTASKS"). */
static int64_t count_of (const char *text)
{
    char *end;
    long long n = strtoll (text, &end, 10);

    return end > text && !*end && n > 0 && n < 1000000 ? n : 0;
}

static bool is_launcher (const char *word)
{
    static const char *const names[] = { "mpirun",  "mpiexec", "mpiexec.hydra",
                                         "srun",    "ibrun",   "aprun",
                                         "orterun", NULL };

    return words_contain (names, path_base (word));
}

/* Take the option at words->v[i] of a launcher; the index of the next one. */
static size_t take_option (const struct strvec *words, size_t i, bool srun,
                           struct program_words *out)
{
    const char *option = words->v[i++];
    size_t len = strcspn (option, "=");
    const char *equals = option[len] ? option + len + 1 : NULL;
    const char *next = i < words->n ? words->v[i] : "";
    size_t n = takes_two_words (option) ? 2 : takes_word (option);

    if (srun && option[1] == 'n' && count_of (option + 2) > 0) {
        out->ranks = count_of (option + 2); /* -n8 */
        return i;
    }
    if (is_count (option, len)) {
        out->ranks = count_of (equals ? equals : next);
        return equals || i == words->n ? i : i + 1;
    }
    if (is_count_per_node (option, len, srun))
        out->ranks_per_node = count_of (equals ? equals : next);
    strvec_push (&out->launcher, option);
    for (; n > 0 && i < words->n; n--)
        strvec_push (&out->launcher, words->v[i++]);
    return i;
}

/* Divide the words of a command into launcher, ranks and program. */
static void divide (const struct strvec *words, struct program_words *out)
{
    size_t i = 0;

    if (words->n > 0 && is_launcher (words->v[0])) {
        bool srun = strcmp (path_base (words->v[0]), "srun") == 0;

        out->ranks = 0;
        strvec_push (&out->launcher, words->v[i++]);
        while (i < words->n && words->v[i][0] == '-')
            i = take_option (words, i, srun, out);
    }
    for (; i < words->n; i++)
        strvec_push (&out->program, words->v[i]);
}

/* The words of the next command; what follows them. */
static int next_command (struct line *line, struct strvec *words,
                         struct program_words *out, struct error *err)
{
    _cleanup_ (strbuf_release) struct strbuf word = STRBUF_INIT;
    int token;

    while ((token = next_token (line, &word, err)) == TOKEN_WORD
           || token == TOKEN_REDIRECT) {
        if (token == TOKEN_REDIRECT) {
            out->redirected = true;
            /* The 1 of 1>log, and the file. */
            if (words->n > 0 && strlen (words->v[words->n - 1]) == 1
                && strchr ("12", words->v[words->n - 1][0])
                && strchr (">&", line->at[-1]))
                free (words->v[--words->n]), words->v[words->n] = NULL;
            token = next_token (line, &word, err);
            if (token < 0)
                break;
        } else {
            strvec_push (words, word.buf);
        }
    }
    return token;
}

static int parse (struct line *line, struct program_words *out,
                  struct error *err)
{
    _cleanup_ (strvec_release) struct strvec words = STRVEC_INIT;
    int token;

    do {
        struct strvec next = STRVEC_INIT;

        token = next_command (line, &next, out, err);
        if (token >= 0 && next.n > 0) {
            if (words.n > 0)
                json_push (out->setup, list_of (&words));
            strvec_release (&words);
            words = next;
        } else {
            strvec_release (&next);
        }
        /* What follows || runs where this failed: Fanfold retries instead. */
        out->fallback = out->fallback || token == TOKEN_OR;
    } while (token == TOKEN_THEN);
    if (token >= 0) {
        take_assignments (&words, out->env);
        divide (&words, out);
    }
    return token < 0 ? -1 : 0;
}

int program_words_parse (const char *command, struct program_words *out,
                         struct error *err)
{
    struct line line = { .at = command };

    *out = (struct program_words){ .setup = json_array (),
                                   .ranks = 1,
                                   .env = json_object () };
    strvec_init (&out->launcher);
    strvec_init (&out->program);
    return parse (&line, out, err);
}

void program_words_release (struct program_words *words)
{
    json_unref (words->setup);
    json_unref (words->env);
    strvec_release (&words->launcher);
    strvec_release (&words->program);
    words->setup = words->env = NULL;
}

struct json *lammps_arguments (const struct json *program)
{
    struct json *words = json_array ();

    for (size_t i = 0; i < json_count (program); i++) {
        const char *word = json_as_string (json_at (program, i));

        if (strcmp (word, "-i") == 0 || strcmp (word, "-in") == 0)
            i++;
        else if ((strcmp (word, "-v") == 0 || strcmp (word, "-var") == 0)
                 && strcmp (json_as_string (json_at (program, i + 1)),
                            "restart")
                        == 0)
            i += 2;
        else
            json_push (words, json_ref (json_at (program, i)));
    }
    return words;
}
