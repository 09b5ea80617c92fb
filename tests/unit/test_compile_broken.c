/* SPDX-License-Identifier: BSD-3-Clause */
/* test_compile_broken.c - what is wrong with campaign.yaml and site.yaml */
#include "base/base.h"

#include <setjmp.h>
#include <cmocka.h>

#include "compile_scene.h"

static const struct broken campaigns[] = {
    { "", NULL, { "campaign.yaml: the file is empty; begin it with format" } },
    { "a: [1\n", NULL, { "campaign.yaml:2:1: " } },
    { "- a\n", NULL, { ":1:1: campaign.yaml: got a list; write a mapping" } },
    { "format: 2\n" HEAD, NULL, { ":2:1: key 'format' was given before" } },
    { "format: 2\n",
      NULL,
      { ":1:9: format '2' is not known to this version; write format: 1" } },
    { "campaign: c\nelements: [Si]\n" STOP "stages:\n" LABEL,
      NULL,
      { ":1:1: campaign.yaml does not say its format; begin it with format: "
        "1" } },
    { "format: 1\nelements: [Si]\n" STOP "stages:\n" LABEL,
      NULL,
      { ":1:1: the campaign has no name; add campaign: NAME" } },
    { STAGES "stagse: {}\n",
      NULL,
      { ":7:1: unknown key 'stagse' in campaign.yaml; did you mean "
        "'stages'?" } },
    { HEAD STOP, NULL, { ":1:1: there are no stages; add stages:" } },
    { HEAD STOP "stages: []\n", NULL, { ":5:9: stages: got a list; write" } },
    { HEAD STOP "stages: {}\n", NULL, { ":5:9: there are 0 stages; write 1" } },
    { HEAD "stages:\n" LABEL,
      NULL,
      { ":1:1: the campaign does not say when it ends; add stop:" } },
    { "format: 1\ncampaign: 'my campaign'\nelements: [Si]\n" STOP
      "stages:\n" LABEL,
      NULL,
      { ":2:11: 'my campaign' cannot be the name of a campaign; use" } },
    { "format: 1\ncampaign: c\nelements: [Si, si, Si]\n" STOP "stages:\n" LABEL,
      NULL,
      { ":3:16: 'si' is no chemical symbol; did you mean 'Si'?",
        ":3:20: the element 'Si' is listed twice; remove one" } },
    { "format: 1\ncampaign: c\nmodels: 0\nseed: -1\nelements: [Si]\n" STOP
      "stages:\n" LABEL,
      NULL,
      { ":3:9: models: got '0'; write a whole number from 1 to 1000",
        ":4:7: seed: got '-1'; write a whole number of at least 0" } },
    { STAGES "data: {initial: [data/initial.xyz], heldout: [a]}\n",
      NULL,
      { ":7:18: data.initial: no such file 'data/initial.xyz'; did you mean "
        "'data/initial.extxyz'?",
        ":7:37: unknown key 'heldout' in data; did you mean 'held_out'?" } },
    { HEAD STOP "stages:\n  a: {uses: qe.label, with: {frames: data.initial, "
                "input: pw.in}}\n  b: {uses: qe.label, with: {frames: "
                "data.inital, input: pw.in}}\n",
      NULL,
      { "input 'frames' of stage 'a': 'data.initial' is no value; write "
        "{from: data.initial}",
        "input 'frames' of stage 'b': 'data.inital' is no value; write "
        "{from: data.initial}" } },
    { STAGES "data: {initial: data/initial.extxyz}\n",
      NULL,
      { ":7:17: initial: got 'data/initial.extxyz'; write a list" } },
    /* stop and history */
    { HEAD "stages:\n" LABEL "stop: {when: label.count > 1}\n",
      NULL,
      { ":6:7: stop: no limit to the iterations; add iterations" } },
    { HEAD "stages:\n" LABEL "stop: {iterations: -2, consecutive: 0}\n",
      NULL,
      { ":6:20: iterations: got '-2'; write a whole number from 1",
        ":6:37: consecutive: got '0'; write a whole number from 1" } },
    { HEAD "stages:\n" LABEL
           "stop: {iterations: 2, accurate: 0.9, when: label.count >}\n",
      NULL,
      { ":6:23: unknown key 'accurate' in stop; there is when, consecutive, "
        "iterations",
        ":6:44: 'when' of stop: column 14: a value is missing at the end" } },
    { STAGES "history: {a: lable.count, b: label.countt, c: iteratoin, "
             "d: all.label.count}\n",
      NULL,
      { ":7:14: history 'a': there is no stage 'lable'; did you mean 'label'?",
        ":7:30: history 'b': stage 'label' (qe.label) has no output 'countt'; "
        "did you mean 'count'?",
        ":7:47: history 'c': unknown name 'iteratoin'; did you mean "
        "'iteration'?",
        ":7:61: history 'd': unknown name 'all.label.count'; there is "
        "iteration, STAGE.OUTPUT" } },
    { STAGES "history: {Best: 1, iteration: 2, c: [1]}\n",
      NULL,
      { ":7:11: 'Best' cannot be a name in history; use",
        ":7:20: 'iteration' cannot be a name in history; use",
        ":7:37: history 'c': got a list; write an expression" } },
    /* stages */
    { STAGES "  dataset: {uses: qe.label, with: {frames: data/initial.extxyz, "
             "input: pw.in}, publish: false}\n"
             "  Train: {uses: model_devi.selct}\n",
      NULL,
      { ":7:3: 'dataset' cannot be the name of a stage; use at most 32",
        ":8:3: 'Train' cannot be the name of a stage; use at most 32",
        ":8:17: unknown operator 'model_devi.selct'; did you mean "
        "'model_devi.select'?" } },
    { STAGES "  a: {use: qe.label}\n  b:\n  c: [1]\n",
      NULL,
      { ":7:3: stage 'a' does not say what it does; add uses: OPERATOR",
        ":7:7: unknown key 'use' in stage 'a'; did you mean 'uses'?",
        ":8:5: stage 'b': got nothing; write a mapping",
        ":9:6: stage 'c': got a list; write a mapping" } },
    { STAGES "  a: {uses: vasp.dft}\n",
      NULL,
      { ":7:13: unknown operator 'vasp.dft'; declare it in operators: "
        "(`fanfold new --operator FILE:FUNCTION` prints that of a Python "
        "function), or use qe.label, lammps.explore, model_devi.select" } },
    { STAGES "  a: {uses: relax.cells}\noperators:\n  ml.fit:\n"
             "    steps: {one: {uses: other.work}}\n    outputs: {}\n",
      NULL,
      { ":7:13: unknown operator 'relax.cells'; declare it in operators: ",
        ":10:25: unknown operator 'other.work'; declare it in operators: " } },
    { STAGES "  b: {uses: qe.label, success: 1.5, publish: yes, with: {frames: "
             "[data/initial.extxyz], input: pw.in}}\n",
      NULL,
      { ":7:32: success: got '1.5'; write a number from 0 to 1",
        ":7:46: publish: got 'yes'; write true or false" } },
    { STAGES
      "  b: {uses: qe.label, publish: false, retry: {timeuot: 2, failed: "
      "0, lost: {walltime: 2, trys: 1}}, with: {frames: "
      "data/initial.extxyz, input: pw.in}}\n",
      NULL,
      { ":7:47: unknown outcome 'timeuot' in retry; did you mean 'timeout'?",
        ":7:67: failed: got '0'; write a whole number from 1",
        ":7:87: walltime: no factor from x1 to x100; write x2",
        ":7:90: unknown key 'trys' in lost; did you mean 'tries'?" } },
    /* inputs */
    { STAGES "  b: {uses: qe.label, publish: false, with: {frame: "
             "data/initial.extxyz, input: pw.inp}}\n",
      NULL,
      { ":7:3: stage 'b' needs the input 'frames' (frames); bind it in with:",
        ":7:46: qe.label has no input 'frame'; did you mean 'frames'?",
        ":7:81: input 'input' of stage 'b': no such file 'pw.inp'; did you "
        "mean 'pw.in'?" } },
    { STAGES "  b: {uses: qe.label, publish: false, with: [frames]}\n",
      NULL,
      { ":7:45: with: got a list; write a mapping" } },
    { STAGES
      "  b: {uses: qe.label, publish: false, with: {frames: data, input: "
      "[pw.in], memory: 3 apples, patience: true}}\n",
      NULL,
      { ":7:54: input 'frames' of stage 'b': 'data' is not a regular file; "
        "write a path that is relative to the campaign directory, or absolute",
        ":7:67: input 'input' of stage 'b': expected file, got a list; write",
        ":7:84: input 'memory' of stage 'b': expected bytes, got '3 apples'; "
        "write a size such as 512MiB",
        ":7:104: input 'patience' of stage 'b': expected duration, got 'true'; "
        "write a duration such as" } },
    { STAGES "  s: {uses: model_devi.select, with: {trajectories: "
             "label.datset, force: 3, quota: 1.5}}\n",
      NULL,
      { ":7:53: input 'trajectories' of stage 's': stage 'label' (qe.label) "
        "has no output 'datset'; did you mean 'dataset'?",
        ":7:74: input 'force' of stage 's': expected map, got '3'; write",
        ":7:84: input 'quota' of stage 's': expected int, got '1.5'; write a "
        "whole number" } },
    { STAGES "  s: {uses: model_devi.select, with: {trajectories: "
             "label.dataset, force: {}, quota: lable.count}}\n",
      NULL,
      { ":7:53: input 'trajectories' of stage 's' takes list of file and "
        "'label.dataset' is frames; bind something of that type",
        ":7:86: input 'quota' of stage 's': there is no stage 'lable'; did you "
        "mean 'label'?" } },
    { STAGES "  b: {uses: qe.label, publish: false, with: {frames: "
             "previous.slect.frames, input: labell.in}}\n",
      NULL,
      { ":7:54: input 'frames' of stage 'b': there is no stage 'slect'; there "
        "is label, b",
        ":7:84: input 'input' of stage 'b': there is no stage 'labell'; did "
        "you mean 'label'?" } },
    { STAGES "  b: {uses: qe.label, publish: false, task: {gpus: 0.4}}\n",
      NULL,
      { ":7:3: stage 'b' needs the input 'frames'",
        ":7:3: stage 'b' needs the input 'input'",
        ":7:52: gpus: expected a number of GPUs, got '0.4'; write a whole "
        "one" } },
    /* only a map by itself can be given as a mapping, a list of them cannot */
    { STAGES "  b: {uses: toy.b, with: {m: {form: label.count}}}\n"
             "operators: {toy.b: {inputs: {m: {type: map, list: true}}, "
             "outputs: {n: {type: int}}, command: [b]}}\n",
      NULL,
      { ":7:30: input 'm' of stage 'b': neither from nor literal; write",
        ":7:31: unknown key 'form' in input 'm' of stage 'b'; did you mean "
        "'from'?" } },
    { STAGES "  b: {uses: qe.label, publish: false, with: {frames: {from: "
             "data.initail}, input: {form: x}}}\n",
      NULL,
      { ":7:61: input 'frames' of stage 'b': there is no stage 'data'; there "
        "is label, b",
        ":7:83: input 'input' of stage 'b': neither from nor literal; write",
        ":7:84: unknown key 'form' in input 'input' of stage 'b'; did you mean "
        "'from'?" } },
    { STAGES "  b: {uses: qe.label, publish: false, with: {frames: {from: "
             "data.initial}, input: {literal: pw.in, default: md.in}}}\n",
      NULL,
      { ":7:61: input 'frames' of stage 'b' comes from 'data.initial', which "
        "this campaign does not have; add data:",
        ":7:109: input 'input' of stage 'b': a literal needs no default; "
        "remove it" } },
    { STAGES "  b: {uses: qe.label, publish: false, with: {frames: {from: "
             "elemnts}, input: {from: seed}}}\n",
      NULL,
      { ":7:61: input 'frames' of stage 'b': nothing is called 'elemnts'; did "
        "you mean 'elements'?",
        ":7:85: input 'input' of stage 'b' takes file and 'seed' is int; bind "
        "something" } },
    { "format: 1\ncampaign: c\n" STOP "stages:\n" LABEL
      "  e: {uses: lammps.explore, with: {models: [data], input: md.in, "
      "systems: {}, temperature: 3}}\n",
      NULL,
      { ":1:1: the campaign names no elements, and its stages need them; add "
        "elements: [Si]",
        ":6:79: 'temperature' is made by lammps.explore itself when it "
        "prepares; remove it" } },
    { STAGES "  b: {uses: qe.label, publish: false, when: b.count > 0, with: "
             "{frames: data/initial.extxyz, input: pw.in}}\n",
      NULL,
      { ":7:3: a stage waits for itself: 'b' needs 'b'; let one of them take "
        "previous.STAGE.OUTPUT" } },
    { STAGES "  b: {uses: qe.label, publish: false, with: {frames: c.dataset, "
             "input: pw.in}}\n"
             "  c: {uses: qe.label, publish: false, with: {frames: d.dataset, "
             "input: pw.in}}\n"
             "  d: {uses: qe.label, publish: false, with: {frames: "
             "latest.b.dataset, input: pw.in}}\n"
             "  e: {uses: qe.label, publish: false, with: {frames: d.dataset, "
             "input: pw.in}}\n",
      NULL,
      { ":7:3: stages wait for each other: 'b' needs 'c' needs 'd' needs 'b'; "
        "let one of them take previous.STAGE.OUTPUT" } },
    /* profiles */
    { STAGES "  b: {uses: qe.label, profile: gpu, publish: false, with: "
             "{frames: data/initial.extxyz, input: pw.in}}\n",
      SITE_CPU,
      { "campaign.yaml:7:32: unknown profile 'gpu'; did you mean 'cpu'?" } },
    { STAGES,
      SITE_CPU "  other: {scheduler: local}\n",
      { "campaign.yaml:6:3: stage 'label' names no profile and the site has "
        "several; add profile: NAME" } },
    { HEAD STOP "stages:\n  a: {uses: qe.label, task: {cores: 8, gpus: 1, "
                "memory: 4GiB, walltime: 2h}, with: {frames: "
                "data/initial.extxyz, input: pw.in}}\n",
      SITE_CPU,
      { ":6:37: stage 'a' in profile 'cpu': a task needs 8 cores and a node "
        "has 4; lower task.cores",
        ":6:46: stage 'a' in profile 'cpu': a task needs 1 GPUs and a node "
        "has 0",
        ":6:57: stage 'a' in profile 'cpu': a task needs 4.0 GiB of memory and "
        "a node has 2.0 GiB",
        ":6:73: stage 'a' in profile 'cpu': a task needs a walltime of 2h00m "
        "and the limit" } },
    { HEAD STOP "stages:\n  a: {uses: qe.label, task: {cores: 4, ranks: 3}, "
                "with: {frames: data/initial.extxyz, input: pw.in}}\n",
      NULL,
      { ":6:37: stage 'a': 4 cores cannot be shared evenly by 3 ranks; "
        "make" } },
    { HEAD STOP "stages:\n  a: {uses: qe.label, task: {nodes: 2, ranks: 3}, "
                "with: {frames: data/initial.extxyz, input: pw.in}}\n",
      NULL,
      { ":6:37: stage 'a': 3 ranks cannot be shared evenly by 2 nodes; "
        "make" } },
    { HEAD STOP "stages:\n  a: {uses: qe.label, task: {nodes: 2, cores: 4}, "
                "with: {frames: data/initial.extxyz, input: pw.in}}\n",
      NULL,
      { ":6:37: a task of stage 'a' needs 2 nodes and the jobs of profile "
        "'local' run on this machine; choose another" } },
    { HEAD STOP "stages:\n  a: {uses: qe.label, task: {nodes: 2, cores: 16}, "
                "with: {frames: data/initial.extxyz, input: pw.in}}\n",
      "format: 1\nprofiles:\n  cpu: {scheduler: slurm, node: {cores: 4}, "
      "launcher: [prun, -n, '{ranks}']}\n",
      { ":6:47: stage 'a' in profile 'cpu': a task needs 8 cores on each of "
        "its nodes and a node has 4; lower" } },
    { HEAD STOP "stages:\n  a: {uses: qe.label, task: {cores: 4, ranks: 2}, "
                "with: {frames: data/initial.extxyz, input: pw.in}}\n",
      SITE_CPU,
      { ":6:47: a task of stage 'a' has 2 ranks and profile 'cpu' no "
        "launcher; add launcher:" } },
    { HEAD STOP "stages:\n  a: {uses: qe.label, task: {cores: -1, memory: "
                "0, walltime: soon}, with: {frames: data/initial.extxyz, "
                "input: pw.in}}\n",
      NULL,
      { ":6:37: cores: got '-1'; write a whole number from 1",
        ":6:49: memory: got '0'; write a size of more than 0",
        ":6:62: walltime: got 'soon'; write a duration of more than 0" } },
    { HEAD STOP "stages:\n  a: {uses: qe.label, task: {memory: auto, walltime: "
                "{auto: soon, from: 1}}, with: {frames: data/initial.extxyz, "
                "input: pw.in}}\n",
      NULL,
      { ":6:61: auto: got 'soon'; write a duration of more than 0",
        ":6:67: unknown key 'from' in walltime" } },
    /* qe.label states a walltime and no memory. */
    { HEAD STOP "stages:\n  a: {uses: qe.label, task: {memory: auto, walltime: "
                "auto}, with: {frames: data/initial.extxyz, input: pw.in}}\n",
      "format: 1\nprofiles:\n  cpu: {scheduler: slurm, node: {cores: 4}}\n",
      { ":6:38: stage 'a': memory: auto has nothing to begin with; write "
        "memory: {auto: 1GiB}" } },
    { HEAD STOP "stages:\n  a: {uses: qe.label, task: {gpus: 0.1, ranks: 5}, "
                "with: {frames: data/initial.extxyz, input: pw.in}}\n",
      "format: 1\nprofiles:\n  cpu: {scheduler: slurm, node: {cores: 16, gpus: "
      "1}, gpu_sharing: mps, launcher: openmpi}\n",
      { ":6:36: stage 'a': 10 tasks of 5 ranks share a GPU and MPS has at most "
        "48 clients; give" } },
    { HEAD STOP "stages:\n  a: {uses: qe.label, task: {walltime: auto, "
                "memory: {auto: 4GiB}}, with: {frames: data/initial.extxyz, "
                "input: pw.in}}\n",
      SITE_CPU,
      { ":6:54: stage 'a' in profile 'cpu': a task needs 4.0 GiB of memory and "
        "a node has 2.0 GiB" } },
};

static const struct broken sites[] = {
    { STAGES,
      "format: 1\nprofiles: {a: {scheduler: slrum, node: {cores: 4}}}\n",
      { "site.yaml:2:27: unknown scheduler 'slrum'; did you mean 'slurm'?" } },
    { STAGES,
      "format: 1\nprofiles: {a: {scheduler: local, gpu_sharing: mig}}\n",
      { "site.yaml:2:47: gpu_sharing: got 'mig'; write mps, or remove it" } },
    { STAGES, "", { "site.yaml: the file is empty; begin it with format: 1" } },
    { STAGES,
      "format: 1\n",
      { "site.yaml:1:1: there are no profiles; add profiles:" } },
    { STAGES,
      "format: 1\nprofiles: {}\n",
      { "site.yaml:2:11: there are no profiles; add profiles:" } },
    { STAGES,
      "format: 1\nstore: ~/results\nprofiles: {a: {scheduler: local}}\n",
      { "site.yaml:2:8: store: '~/results': nothing is put in for ~ and $; "
        "write the whole path" } },
    { STAGES,
      "format: 1\nstore: /scratch/$USER\nprofiles: {a: {scheduler: local}}\n",
      { "site.yaml:2:8: store: '/scratch/$USER': nothing is put in" } },
    { STAGES,
      "format: 1\nstore: [a]\nprofiles: {a: {scheduler: local}}\n",
      { "site.yaml:2:8: store: got a list; write text" } },
    { STAGES,
      "format: 1\ndefault_profile: cup\nprofiles: {cpu: {scheduler: "
      "local}}\n",
      { "site.yaml:2:18: default_profile: unknown profile 'cup'; did you mean "
        "'cpu'?" } },
    { STAGES,
      "format: 1\n"
      "profiles:\n"
      "  a:\n"
      "    scheduler: slurm\n"
      "    spool: /tmp\n"
      "    partition: p\n"
      "    queue: q\n"
      "    node: {memory: 1GiB, cpus: 4}\n",
      { ":5:12: spool: jobs of 'slurm' have none; remove it",
        ":7:12: partition and queue are two words for one thing; remove one",
        ":8:11: node: no cores; say how many a node has",
        ":8:26: unknown key 'cpus' in node; write cores" } },
    { STAGES,
      "format: 1\n"
      "profiles:\n"
      "  a:\n"
      "    scheduler: slurm\n"
      "    setup: module load lammps\n"
      "    launcher: [prun, '{rank}', '{ranks']\n"
      "    agents: [srun, -n, '{ranks}']\n",
      { ":5:12: setup: got 'module load lammps'; write a list, [program, "
        "argument, ...]",
        ":6:22: launcher: unknown placeholder '{rank}'; there is {ranks}",
        ":6:32: launcher: '{ranks': column 1: '{' is not closed",
        ":7:24: agents: unknown placeholder '{ranks}'; there is {nodes}" } },
    { STAGES,
      "format: 1\n"
      "profiles:\n"
      "  a:\n"
      "    scheduler: slurm\n"
      "    env:\n"
      "      PATH: /opt/bin:$PATH\n"
      "      A-B: x\n"
      "      TMPDIR: /scratch\n"
      "      FANFOLD_TASK: 1\n",
      { ":6:13: env: PATH: '$PATH' is not replaced; write the value itself",
        ":7:7: env: 'A-B' cannot be the name of a variable; use letters, "
        "digits and _",
        ":8:7: env: TMPDIR: it is the task's directory; remove it",
        ":9:7: env: FANFOLD_TASK: these names are fanfold's own; take "
        "another" } },
    { STAGES,
      "format: 1\n"
      "default_profile: a\n"
      "profiles:\n"
      "  a: {scheduler: pbs, env: {OMP_NUM_THREADS: 4}}\n"
      "  b: {scheduler: pbs, env: {EMPTY: }}\n"
      "  c: {scheduler: pbs, env: {PATH: '/bin::bin'}}\n"
      "  d: {scheduler: pbs, env: [PATH=/bin]}\n",
      { ":4:29: env: OMP_NUM_THREADS: it is the cores of a task by its ranks; "
        "remove it, and set cores and ranks in the task: of the stage",
        ":5:36: EMPTY: got nothing; write text",
        ":6:35: env: PATH: '/bin::bin' has a directory that is not absolute; "
        "write all of them out, with /usr/bin and /bin",
        ":7:28: env: got a list; write a mapping of 'key: value' lines" } },
    { STAGES,
      "format: 1\n"
      "profiles:\n"
      "  a:\n"
      "    scheduler: slurm\n"
      "    launcher: opnmpi\n",
      { ":5:15: launcher: there is no preset 'opnmpi'; did you mean "
        "'openmpi'?" } },
    { STAGES,
      "format: 1\n"
      "profiles:\n"
      "  a:\n"
      "    scheduler: slurm\n"
      "    directives: [--constraint=x, --arr=0-5]\n"
      "    wake: {directives: [-J x]}\n",
      { ":5:34: directives: '--arr=0-5' is for fanfold to set; remove it",
        ":6:25: directives: '-J x' is for fanfold to set; remove it" } },
    { STAGES,
      "format: 1\n"
      "default_profile: c\n"
      "profiles:\n"
      "  a b: {scheduler: local, spool: here}\n"
      "  c: {node: {cores: 4}, directives: [\"a\\nb\"]}\n",
      { ":4:3: 'a b' cannot be the name of a profile; use letters",
        ":4:34: spool: 'here' is not an absolute path; write",
        ":5:3: profile 'c' names no scheduler; add scheduler: local",
        ":5:38: directives: has a line break or a control character; write" } },
};

static const struct broken both[] = {
    { "format: 1\nstages: 3\n",
      "format: one\n",
      { "campaign.yaml:1:1: the campaign has no name",
        "campaign.yaml:1:1: the campaign does not say when it ends",
        "campaign.yaml:2:9: stages: got '3'; write a mapping",
        "site.yaml:1:9: format 'one' is not known to this version" } },
};

static void test_campaigns (void **unused)
{
    (void)unused;
    expect_broken (campaigns, ARRAY_SIZE (campaigns));
}

static void test_sites (void **unused)
{
    (void)unused;
    expect_broken (sites, ARRAY_SIZE (sites));
}

static void test_both (void **unused)
{
    (void)unused;
    expect_broken (both, ARRAY_SIZE (both));
}

static void test_no_file (void **state)
{
    struct compile_options options = { .dir = "/nonexistent",
                                       .site_file = "/nonexistent/site.yaml",
                                       .builtin = builtin,
                                       .schedulers = schedulers };
    struct problems problems = PROBLEMS_INIT;

    (void)state;
    assert_null (campaign_compile (&options, &problems));
    assert_int_equal (problems.n, 2);
    assert_string_equal (problems.v[0].file, "/nonexistent/campaign.yaml");
    assert_string_equal (problems.v[0].message, "there is no such file");
    assert_string_equal (problems.v[1].file, "/nonexistent/site.yaml");
    problems_release (&problems);
}

int main (void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test (test_campaigns),
        cmocka_unit_test (test_sites),
        cmocka_unit_test (test_both),
        cmocka_unit_test (test_no_file),
    };

    cmocka_set_message_output (CM_OUTPUT_TAP);
    return cmocka_run_group_tests (tests, NULL, NULL);
}
