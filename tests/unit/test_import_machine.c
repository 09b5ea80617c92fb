/* SPDX-License-Identifier: BSD-3-Clause */
/* test_import_machine.c - documents, command lines and flags of machine files
 */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "base/json.h"
#include "import/batch_flags.h"
#include "import/document.h"
#include "import/draft.h"
#include "import/key_report.h"
#include "import/machine.h"
#include "import/program_words.h"
#include "import/settings.h"

/* --- documents --- */

static const struct {
    const char *text;
    const char *json; /* or what the complaint has, if it begins with '!' */
} documents[] = {
    { "{\"a\": 1.0, \"b\": [true, null]}", "{\"a\":1.0,\"b\":[true,null]}" },
    { "\n  {\"a\": 1}\n", "{\"a\":1}" },
    { "{\"_c\": 1, \"_c\": 2, \"x\": {\"_c\": 3}}",
      "{\"_c\":1,\"_c (2)\":2,\"x\":{\"_c (3)\":3}}" },
    { "a: 1\nb: [x, 2.5]\n_c: y\n",
      "{\"a\":1,\"b\":[\"x\",2.5],\"_c\":\"y\"}" },
    { "{\"a\": 1, \"a\": 2}", "!f:1" },
    { "{\"a\": ", "!f:1:" },
    { "../../machine/lebesgue_v2_machine.json", "!f:1:1: expected a mapping" },
    { "[1]", "!f:1:1: expected an object of keys, found" },
    { "", "!f:1:1: a value is missing" },
    { "# nothing\n", "!f:1:1: expected a mapping of keys, found nothing" },
    { "a: [1\n", "!f:" },
    { "{\"a\": \"\\\"_c\\\": \", \"b\": 1}",
      "{\"a\":\"\\\"_c\\\": \",\"b\":1}" },
};

static void test_documents (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (documents); i++) {
        struct error err = ERROR_INIT;
        struct json *v = document_parse (documents[i].text,
                                         strlen (documents[i].text), "f", &err);
        struct strbuf out = STRBUF_INIT;

        if (documents[i].json[0] == '!') {
            assert_null (v);
            if (!strstr (err.text, documents[i].json + 1))
                fail_msg ("%zu: %s", i, err.text);
        } else {
            if (!v)
                fail_msg ("%zu: %s", i, err.text);
            assert_string_equal (err.text, "");
            json_dump (v, JSON_COMPACT, &out);
            assert_string_equal (out.buf, documents[i].json);
        }
        strbuf_release (&out);
        json_unref (v);
    }
}

static void test_values (void **state)
{
    static const char text[] = "{\"n\": \"1e-6\", \"i\": 3.0, \"t\": 1, \"s\": "
                               "\"x\", \"h\": 1.5, \"z\": null}";
    struct json *v = json_parse (text, strlen (text), "t", NULL);
    const struct section s = { .v = v, .prefix = "p." };
    struct error err = ERROR_INIT;
    double number = 0;
    int64_t whole = 0;
    bool on = false;
    const char *word;

    (void)state;
    assert_int_equal (key_number (&s, "n", &number, &err), 0);
    assert_true (number == 1e-6);
    assert_int_equal (key_int (&s, "i", &whole, &err), 0);
    assert_int_equal (whole, 3);
    assert_int_equal (key_bool (&s, "t", &on, &err), 0);
    assert_true (on);
    assert_int_equal (key_text (&s, "z", &word, &err), 1);
    assert_int_equal (key_int (&s, "h", &whole, &err), -1);
    assert_string_equal (err.text, "p.h: expected a whole number, found 1.5");
    assert_int_equal (key_number (&s, "s", &number, &err), -1);
    assert_string_equal (err.text, "p.s: expected a number, found 'x'");
    assert_int_equal (key_bool (&s, "i", &on, &err), -1);
    json_unref (v);
}

/* --- keys by their rows --- */

static const struct setting rows[] = {
    STORED ("steps nsteps", WHOLE, "a.steps", "steps", .least = 1,
            .required = true),
    STORED ("rate", NUMBER, "a.in.rate", "rate", .otherwise = 0.5),
    STORED ("cutoff", NUMBER, "a.cutoff", "cutoff", .needs = "on",
            .required = true),
    STORED ("fast", SWITCH, "a.fast", "fast"),
    STORED ("other", COPY, "b.other", "other"),
    YES ("on", "whether there is a cutoff"),
    ONLY ("engine", "lammps", "lammps", "is no engine"),
    ROW ("off", KEY_UNSUPPORTED, "left out", .off = "false is what there is"),
    KEYS_END,
};

static const struct {
    const char *given;
    const char *stored; /* of part a, or what is refused */
    const char *told;   /* KEY FATE, of all in their order */
} settings[] = {
    { "{\"steps\": 3}", "{\"steps\":3,\"in\":{\"rate\":0.5}}",
      "steps translated" },
    { "{\"nsteps\": 3, \"rate\": 2, \"fast\": true}",
      "{\"steps\":3,\"in\":{\"rate\":2},\"fast\":true}",
      "nsteps translated, rate translated, fast translated" },
    { "{\"steps\": 3, \"nsteps\": 4, \"cutoff\": 5, \"other\": 1}",
      "{\"steps\":3,\"in\":{\"rate\":0.5}}",
      "steps translated, nsteps not needed, cutoff not needed, other not "
      "needed" },
    { "{\"steps\": 3, \"cutoff\": 5, \"on\": true, \"off\": false}",
      "{\"steps\":3,\"in\":{\"rate\":0.5},\"cutoff\":5}",
      "steps translated, cutoff translated, on translated, off not needed" },
    { "{\"steps\": 3, \"off\": true, \"fats\": 1, \"_c\": 1}",
      "{\"steps\":3,\"in\":{\"rate\":0.5}}",
      "steps translated, off unsupported, fats unknown, _c comment" },
    { "{\"step\": 3}", "p.steps: it is missing; is 'step' meant to be it?",
      "" },
    { "{\"steps\": 0}", "p.steps: expected 1 or more, found 0", "" },
    { "{\"steps\": 1, \"on\": true}", "p.cutoff: it is missing, and on is true",
      "" },
    { "{\"steps\": 1, \"engine\": \"x\"}", "p.engine: 'x' is no engine", "" },
};

static void test_settings (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (settings); i++) {
        struct json *v = json_parse (settings[i].given,
                                     strlen (settings[i].given), "t", NULL);
        struct json *out = json_object ();
        struct error err = ERROR_INIT;
        struct strbuf stored = STRBUF_INIT, told = STRBUF_INIT;
        struct key_report report;
        const struct section s = { v, "p.", rows, NULL, &report };

        key_report_init (&report);
        if (settings_refuse (&s, &err) == 0
            && settings_apply (&s, "a", out, NULL, &err) == 0) {
            json_dump (out, JSON_COMPACT, &stored);
            settings_tell (&s);
        } else {
            strbuf_add_str (&stored, err.text);
        }
        for (size_t k = 0; k < report.n; k++)
            strbuf_addf (&told, "%s%s %s", k > 0 ? ", " : "",
                         report.v[k].path + strlen ("p."),
                         key_fate_name (report.v[k].fate));
        assert_string_equal (stored.buf, settings[i].stored);
        assert_string_equal (told.buf, settings[i].told);
        key_report_release (&report);
        strbuf_release (&stored);
        strbuf_release (&told);
        json_unref (out);
        json_unref (v);
    }
}

/* --- command lines --- */

static const struct {
    const char *command;
    const char *said; /* launcher | ranks | program | setup | env | < || */
} commands[] = {
    { "", "|1||[]|{}|" },
    { "dp", "|1|dp|[]|{}|" },
    { "mpirun -n 16 vasp_std", "mpirun|16|vasp_std|[]|{}|" },
    { "mpirun -np 8 --bind-to none -genv A 1 lmp -pk omp 2",
      "mpirun,--bind-to,none,-genv,A,1|8|lmp,-pk,omp,2|[]|{}|" },
    { "srun --mpi=pmi2 lmp_mpi", "srun,--mpi=pmi2|0|lmp_mpi|[]|{}|" },
    { "mpirun x", "mpirun|0|x|[]|{}|" },
    { "srun --ntasks=32 x", "srun|32|x|[]|{}|" },
    { "srun -n32 x -n 5", "srun|32|x,-n,5|[]|{}|" },
    { "srun -N 2 x", "srun,-N,2|0|x|[]|{}|" },
    { "srun --ntasks-per-node 16 x",
      "srun,--ntasks-per-node,16|0+16|x|[]|{}|" },
    { "mpirun --np=4 x", "mpirun|4|x|[]|{}|" },
    { "mpirun -ppn 16 x", "mpirun,-ppn,16|0+16|x|[]|{}|" },
    { "aprun -N 24 x", "aprun,-N,24|0+24|x|[]|{}|" },
    { "mpirun -n $SLURM_NTASKS x", "mpirun|0|x|[]|{}|" },
    { "mpirun -n", "mpirun|0||[]|{}|" },
    { "srun - x", "srun,-|0|x|[]|{}|" },
    { "source a.sh && ulimit -s unlimited; OMP_NUM_THREADS=1 mpirun -n 2 x",
      "mpirun|2|x|[[\"source\",\"a.sh\"],[\"ulimit\",\"-s\",\"unlimited\"]]|"
      "{\"OMP_NUM_THREADS\":\"1\"}|" },
    { "g16 < input || :", "|1|g16|[]|{}|<|" },
    { "vasp_std 1>log 2>&1", "|1|vasp_std|[]|{}|<" },
    { "'a b' \"c d\"", "|1|a b,c d|[]|{}|" },
    { "mpirun -n 0 x", "mpirun|0|x|[]|{}|" },
    { "a | b", "!a pipe" },
    { "a $(b)", "!a command within" },
    { "a 'b", "!a quote" },
    { "a &", "!a pipe or a job" },
};

static void add_words (const struct strvec *words, struct strbuf *out)
{
    for (size_t i = 0; i < words->n; i++)
        strbuf_addf (out, "%s%s", i > 0 ? "," : "", words->v[i]);
    strbuf_add_char (out, '|');
}

static void test_commands (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (commands); i++) {
        struct program_words words;
        struct strbuf out = STRBUF_INIT;
        struct error err = ERROR_INIT;
        int rc = program_words_parse (commands[i].command, &words, &err);

        if (commands[i].said[0] == '!') {
            assert_int_equal (rc, -1);
            assert_non_null (strstr (err.text, commands[i].said + 1));
        } else {
            assert_int_equal (rc, 0);
            add_words (&words.launcher, &out);
            strbuf_addf (&out, "%d", (int)words.ranks);
            if (words.ranks_per_node > 0)
                strbuf_addf (&out, "+%d", (int)words.ranks_per_node);
            strbuf_add_char (&out, '|');
            add_words (&words.program, &out);
            json_dump (words.setup, JSON_COMPACT, &out);
            strbuf_add_char (&out, '|');
            json_dump (words.env, JSON_COMPACT, &out);
            strbuf_addf (&out, "|%s%s", words.redirected ? "<" : "",
                         words.fallback ? "|" : "");
            assert_string_equal (out.buf, commands[i].said);
        }
        strbuf_release (&out);
        program_words_release (&words);
    }
}

/* --- flags --- */

static const struct {
    const char *scheduler, *line, *said;
    const char *words; /* that the report has; NULL: any */
} flags[] = {
    { "slurm", "#SBATCH -t 96:0:0", "96h ()", NULL },
    { "slurm", "#SBATCH --time=90", "90m ()", NULL },
    { "slurm", "#SBATCH --time=10:30", "11m ()", NULL }, /* not less */
    { "slurm", "#SBATCH --time=0:59:59", "60m ()", NULL },
    { "slurm", "#SBATCH --time=2:00:00", "2h ()", NULL },
    { "slurm", "#SBATCH --gpus=2", "gpus 2 ()", "task.gpus" },
    { "slurm", "#SBATCH -G a100:2", "gres gpu:a100 gpus 2 ()", "task.gpus" },
    { "slurm", "exclusive", "()", "'exclusive' is no option" },
    { "slurm", "#SBATCH -t 1-0", "24h ()", NULL },
    { "slurm", "#SBATCH --mem=16G", "mem 16384 ()", NULL },
    { "slurm", "#SBATCH --mem=512", "mem 512 ()", NULL },
    { "slurm", "#SBATCH -A mat", "account mat ()", NULL },
    { "slurm", "#SBATCH -q long", "qos long ()", NULL },
    { "pbs", "#PBS -q long", "queue long ()", NULL },
    { "pbs", "#PBS -l walltime=10:00:00", "10h ()", NULL },
    { "pbs", "#PBS -l select=1:ncpus=4", "()", "left out: select" },
    { "pbs", "#PBS -l nodes=1:ppn=4,walltime=24:00:00", "24h ()",
      "taken over: walltime=24:00:00; left out: nodes" },
    { "pbs", "#PBS -l walltime=2:00:00,mem=4gb", "2h mem 4096 ()",
      "taken over: walltime=2:00:00, mem=4gb" },
    { "pbs", "#PBS -lselect=2:ncpus=4:mem=16gb:ngpus=1", "mem 16384 ()",
      "taken over: memory" },
    { "pbs", "#PBS -l walltime=soon", "()", "not understood: walltime=soon" },
    { "pbs", "#PBS -l software=vasp", "(-l software=vasp)", "taken over" },
    { "pbs", "#PBS -W group_list=x", "(-W group_list=x)", "directives" },
    { "local", "#BSUB -W 90", "90m ()", NULL },
    { "slurm", "#SBATCH -t UNLIMITED", "()",
      "left out: 'UNLIMITED' is not understood; say walltime" },
    { "slurm", "#SBATCH --mem=all", "()", "'all' is not understood" },
    { "slurm", "#SBATCH --account=", "()", "not understood" },
    { "slurm", "#SBATCH --gres=gpu:a100:2", "gres gpu:a100 gpus 2 ()", NULL },
    { "slurm", "#SBATCH --gres=gpu:4", "gpus 4 ()", NULL },
    { "slurm", "#SBATCH --exclude=a,b", "(--exclude=a,b)", NULL },
    { "slurm", "#SBATCH --exclude=", "()", NULL },
    { "slurm", "#SBATCH -J name", "()", NULL },
    { "local", "#SBATCH --exclude=a", "()", NULL },
    { "slurm", "", "()", NULL },
    { "slurm", "#", "()", NULL },
};

static void test_flags (void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (flags); i++) {
        struct batch_flags f;
        struct key_report report;
        struct strbuf out = STRBUF_INIT, said = STRBUF_INIT;

        batch_flags_init (&f);
        key_report_init (&report);
        batch_flags_add (&f, flags[i].scheduler, flags[i].line, "k", &report);
        assert_int_equal (report.n, 1);
        key_report_text (&report, &said);
        if (flags[i].words && !strstr (said.buf, flags[i].words))
            fail_msg ("%zu: no '%s' in %s", i, flags[i].words, said.buf);
        if (f.walltime)
            strbuf_addf (&out, "%s ", f.walltime);
        if (f.memory_bytes > 0)
            strbuf_addf (&out, "mem %d ", (int)(f.memory_bytes >> 20));
        if (f.account)
            strbuf_addf (&out, "account %s ", f.account);
        if (f.qos)
            strbuf_addf (&out, "qos %s ", f.qos);
        if (f.queue)
            strbuf_addf (&out, "queue %s ", f.queue);
        if (f.gres)
            strbuf_addf (&out, "gres %s ", f.gres);
        if (f.gpus > 0)
            strbuf_addf (&out, "gpus %d ", (int)f.gpus);
        strbuf_addf (&out, "(%s)", json_as_string (json_at (f.directives, 0)));
        assert_string_equal (out.buf, flags[i].said);
        strbuf_release (&out);
        strbuf_release (&said);
        key_report_release (&report);
        batch_flags_release (&f);
    }
}

/* --- profiles --- */

static int read_nothing (const char *path, struct strbuf *out,
                         struct error *err)
{
    (void)path;
    (void)out;
    (void)err;
    return 1;
}

static int see_nothing (const char *pattern)
{
    (void)pattern;
    return 0;
}

static const struct {
    const char *json;
    const char *site;    /* without format and newlines' ends */
    const char *tasks;   /* of the three stages */
    const char *said[4]; /* words of the report and the remarks; with ! before
                            them: not there */
} machines[] = {
    /* api 1.0, the stage a list, passwords, para_deg */
    { "{\"train\": [{\"command\": \"dp\", \"machine\": {\"batch_type\": "
      "\"Slurm\", \"remote_profile\": {\"hostname\": \"h\", \"password\": "
      "\"secret\"}}, \"resources\": {\"cpu_per_node\": 8, \"gpu_per_node\": 4, "
      "\"para_deg\": 4, \"queue_name\": \"gpu\"}}], \"model_devi\": "
      "{\"machine\": {\"batch_type\": \"Slurm\"}, \"resources\": "
      "{\"queue_name\": \"gpu\"}}, \"fp\": {\"command\": \"mpirun -n 6 vasp\", "
      "\"machine\": {\"batch_type\": \"PBS\"}, \"resources\": "
      "{\"number_node\": 2, \"cpu_per_node\": 4, \"module_list\": [\"vasp\"], "
      "\"envs\": {\"A\": 1, \"B\": [\"x\", 2], \"C\": [3], \"D\": [4, 5, "
      "\"y\"], \"_why\": \"said\", \"P\": \"$P:x\"}}}}",
      "format: 1\nprofiles:\n  train: {scheduler: slurm, partition: gpu}\n"
      "  label:\n    scheduler: pbs\n    env: {A: \"1\", B: \"2\", C: \"3\", "
      "D: y}\n"
      "    setup: [[module, load, vasp]]\n"
      "    launcher: [mpirun, \"-n\", \"{ranks}\"]\n",
      "train{cores: 2, gpus: 1}train{cores: 1}"
      "label{nodes: 2, ranks: 6, cores: 6}",
      { NULL } },
    /* the flat kind; a scheduler that is none */
    { "{\"train_machine\": {\"machine_type\": \"lsf\"}, \"train_resources\": "
      "{\"task_per_node\": 4, \"numb_gpu\": 1, \"time_limit\": \"23:0:0\", "
      "\"mem_limit\": 32}, \"deepmd_path\": \"/d\", \"model_devi_machine\": "
      "{\"machine_type\": \"slurm\"}, \"model_devi_resources\": "
      "{\"time_limit\": \"1:0:0\", \"partition\": \"p\"}, \"fp_machine\": "
      "{\"machine_type\": \"local\"}}",
      "format: 1\nprofiles:\n"
      "  train: {scheduler: local, node: {cores: 4, gpus: 1}}\n"
      "  explore: {scheduler: slurm, partition: p, limits: {walltime: 1h}}\n"
      "  label: {scheduler: local, node: {cores: 1}}\n",
      "train{cores: 4, gpus: 1, memory: 32GiB, walltime: 23h}"
      "explore{cores: 1, walltime: 1h}label{cores: 1}",
      { NULL } },
    /* ranks that nobody counts: those of the job */
    { "{\"train\": {\"command\": \"mpirun -n $N dp\", \"machine\": "
      "{\"batch_type\": \"Slurm\"}, \"resources\": {\"cpu_per_node\": 8, "
      "\"para_deg\": 2, \"source_list\": [\"$HOME/env.sh\"]}}, "
      "\"model_devi\": {\"command\": \"srun lmp\", \"machine\": "
      "{\"batch_type\": \"Slurm\"}, \"resources\": {\"number_node\": 2, "
      "\"cpu_per_node\": 16}}, \"fp\": {\"command\": \"mpirun -ppn 4 "
      "--hostfile $NODES vasp\", \"machine\": {\"batch_type\": \"PBS\"}, "
      "\"resources\": {\"number_node\": 2, \"cpu_per_node\": 8}}}",
      "format: 1\nprofiles:\n  train:\n    scheduler: slurm\n"
      "    setup: [[source, \"$HOME/env.sh\"]]\n"
      "    launcher: [mpirun, \"-n\", \"{ranks}\"]\n"
      "  explore: {scheduler: slurm, launcher: [srun, \"-n\", "
      "\"{ranks}\"]}\n"
      "  label:\n    scheduler: pbs\n    launcher: [mpirun, \"-ppn\", \"4\", "
      "\"--hostfile\", \"$NODES\", \"-n\", \"{ranks}\"]\n",
      "train{ranks: 4, cores: 4}explore{nodes: 2, ranks: 32, cores: 32}"
      "label{nodes: 2, ranks: 8, cores: 16}",
      { "'$HOME/env.sh' is not replaced", "'$NODES' is not replaced",
        "'srun' is told no number of ranks; the stage has 32" } },
    /* prepend_script; sizes of dpdispatcher; a strategy; GPUs by a line */
    { "{\"train\": {\"command\": \"dp\", \"machine\": {\"batch_type\": "
      "\"Slurm\"}, \"resources\": {\"cpu_per_node\": 1, \"prepend_script\": "
      "[\"module load cuda\", \"export A=1\", \"ulimit -s $X\"], "
      "\"strategy\": {\"ratio_unfinished\": 0.25}, \"kwargs\": "
      "{\"slurm_job_size\": 4, \"custom_gpu_line\": \"#SBATCH --gpus=2\"}}}}",
      "format: 1\nprofiles:\n  train: {scheduler: slurm, env: {A: \"1\"}, "
      "setup: [[module, load, cuda]]}\n"
      "  explore: {scheduler: local, node: {cores: 1}}\n",
      "train{cores: 1, gpus: 2}explore{cores: 1}explore{cores: 1}",
      { "prepend_script[2] left out, since it needs a shell: 'ulimit -s $X'",
        "slurm_job_size Fanfold bundles tasks",
        "write `success: 0.75` into the stage train",
        "the profile 'train' have whole nodes, where DP-GEN's ask for 1 core; "
        "where nodes are shared write `node: {cores: 1}`" } },
    /* one scheduler that is none, three times: one profile, told once */
    { "{\"train\": {\"machine\": {\"batch_type\": \"LSF\"}}, "
      "\"model_devi\": {\"machine\": {\"batch_type\": \"LSF\"}}, "
      "\"fp\": {\"machine\": {\"batch_type\": \"LSF\"}, "
      "\"user_forward_files\": [\"vdw.bindat\"]}}",
      "format: 1\n"
      "profiles: {train: {scheduler: local, node: {cores: 1}}}\n",
      "train{cores: 1}train{cores: 1}train{cores: 1}",
      { "the profile 'train' is local until you change it",
        "!the profile 'explore' is local", "!the profile 'label' is local",
        "fp.user_forward_files          files of the stage label" } },
    /* with_mpi; what only Slurm has; a number as memory; no scheduler */
    { "{\"train\": {\"command\": \"dp\", \"machine\": {\"batch_type\": "
      "\"Shell\"}, \"resources\": {\"queue_name\": \"q\", "
      "\"module_list\": [\"dp\"], \"with_mpi\": false}}, \"model_devi\": "
      "{\"command\": \"lmp\", "
      "\"machine\": {\"batch_type\": \"Slurm\"}, \"resources\": "
      "{\"cpu_per_node\": 4, \"with_mpi\": true, \"kwargs\": {\"mem\": "
      "16}}}, \"fp\": {\"command\": \"vasp\", \"machine\": "
      "{\"batch_type\": \"PBS\"}, \"resources\": {\"cpu_per_node\": 3, "
      "\"with_mpi\": 1, \"exclude_list\": [\"n1\"], \"qos\": \"high\"}}}",
      "format: 1\nprofiles:\n  train:\n    scheduler: local\n"
      "    node: {cores: 1}\n    setup: [[module, load, dp]]\n"
      "    login_shell: true\n"
      "  explore: {scheduler: slurm, launcher: [srun, \"-n\", \"{ranks}\"]}\n"
      "  label: {scheduler: pbs, launcher: [mpirun, \"-n\", \"{ranks}\"]}\n",
      "train{cores: 1}explore{ranks: 4, cores: 4}label{ranks: 3, cores: 3}",
      { "exclude_list      left out: only Slurm has it",
        "qos               left out: only Slurm has it",
        "kwargs.mem left out: it has no unit",
        "the profile has no scheduler" } },
};

static void test_machines (void **state)
{
    static const struct import_files files = { "/", read_nothing, see_nothing,
                                               NULL };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (machines); i++) {
        struct json *v =
            json_parse (machines[i].json, strlen (machines[i].json), "m", NULL);
        struct stage_machine stages[IMPORT_STAGES] = { { NULL } };
        struct draft draft;
        struct error err = ERROR_INIT;
        struct strbuf site = STRBUF_INIT, tasks = STRBUF_INIT;

        assert_non_null (v);
        draft_init (&draft, &files);
        if (machine_translate (v, &draft, stages, &err) < 0)
            fail_msg ("%s", err.text);
        outline_write (&draft.site, &site);
        assert_string_equal (site.buf, machines[i].site);
        for (size_t s = 0; s < IMPORT_STAGES; s++) {
            struct outline task;
            struct strbuf text = STRBUF_INIT;

            outline_init (&task);
            outline_set (&task, "t", json_ref (stages[s].task), NULL);
            outline_write (&task, &text);
            strbuf_addf (&tasks, "%s%.*s", stages[s].profile, (int)text.len - 4,
                         text.buf + 3);
            strbuf_release (&text);
            outline_release (&task);
            stage_machine_release (&stages[s]);
        }
        assert_string_equal (tasks.buf, machines[i].tasks);
        strbuf_reset (&site);
        key_report_text (&draft.report, &site);
        for (size_t r = 0; r < draft.remarks.n; r++)
            strbuf_addf (&site, "%s\n", draft.remarks.v[r]);
        for (size_t w = 0; w < ARRAY_SIZE (machines[i].said); w++) {
            const char *words = machines[i].said[w];
            bool absent = words && *words == '!';

            if (words && !strstr (site.buf, words + absent) != absent)
                fail_msg ("%s '%s' in %s", absent ? "a" : "no", words,
                          site.buf);
        }
        assert_null (strstr (site.buf, "secret"));
        draft_release (&draft);
        strbuf_release (&site);
        strbuf_release (&tasks);
        json_unref (v);
    }
}

static void test_machine_refusals (void **state)
{
    static const struct import_files files = { "/", read_nothing, see_nothing,
                                               NULL };
    static const char *const texts[][2] = {
        { "{}", "no machine file of DP-GEN" },
        { "{\"train\": 3}", "train: expected a mapping of keys" },
        { "{\"train\": []}", "train: expected a mapping of keys" },
    };

    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE (texts); i++) {
        struct json *v =
            json_parse (texts[i][0], strlen (texts[i][0]), "m", NULL);
        struct stage_machine stages[IMPORT_STAGES] = { { NULL } };
        struct draft draft;
        struct error err = ERROR_INIT;

        draft_init (&draft, &files);
        assert_int_equal (machine_translate (v, &draft, stages, &err), -1);
        assert_non_null (strstr (err.text, texts[i][1]));
        for (size_t s = 0; s < IMPORT_STAGES; s++)
            stage_machine_release (&stages[s]);
        draft_release (&draft);
        json_unref (v);
    }
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_documents),
        cmocka_unit_test (test_values),
        cmocka_unit_test (test_settings),
        cmocka_unit_test (test_commands),
        cmocka_unit_test (test_flags),
        cmocka_unit_test (test_machines),
        cmocka_unit_test (test_machine_refusals),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
