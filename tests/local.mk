# tests - unit tests (cmocka) and command-line tests (shell), all TAP
#
# A unit test is one line in unit_tests: tests/unit/test_x.t is made from
# tests/unit/test_x.c and linked to every floor.  A command-line
# test is one line in cli_tests: an executable script in tests/cli.  Tests run
# in the top build directory with srcdir, abs_top_srcdir and abs_top_builddir in
# the environment and the built programs first on PATH.  Under the sanitizers an
# allocation of an impossible size must fail as it does without them.

TEST_EXTENSIONS = .t
T_LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) \
	$(top_srcdir)/build-aux/tap-driver.sh
AM_TESTS_ENVIRONMENT = \
	abs_top_srcdir='$(abs_top_srcdir)'; export abs_top_srcdir; \
	abs_top_builddir='$(abs_top_builddir)'; export abs_top_builddir; \
	ASAN_OPTIONS=allocator_may_return_null=1:"$$ASAN_OPTIONS"; \
	export ASAN_OPTIONS; \
	TMPDIR="$${TMPDIR:-`'$(abs_top_srcdir)'/tests/scratch-dir`}"; \
	export TMPDIR; \
	FANFOLD_STORE=none; export FANFOLD_STORE; \
	PATH='$(abs_top_builddir)':"$$PATH"; export PATH;

LDADD = $(fuzz_main) $(hooks) $(floor_libs) $(outside_libs) $(CMOCKA_LIBS)

# What the environment of a test sets (base/point.h): before the library that has
# the program's.
hooks = %D%/hooks/point.$(OBJEXT) %D%/hooks/version.$(OBJEXT)
test_tools =
test_tools += %D%/hooks/fanfold
%C%_hooks_fanfold_SOURCES = src/main.c %D%/hooks/point.c \
	%D%/hooks/version.c
%C%_hooks_fanfold_LDADD = $(floor_libs) $(outside_libs)

unit_tests = \
	%D%/unit/test_abacus_log.t \
	%D%/unit/test_xtb_gradient.t \
	%D%/unit/test_act_remove.t \
	%D%/unit/test_act_replace.t \
	%D%/unit/test_act_results.t \
	%D%/unit/test_act_submit.t \
	%D%/unit/test_agent.t \
	%D%/unit/test_agent_group.t \
	%D%/unit/test_agent_life.t \
	%D%/unit/test_alloc.t \
	%D%/unit/test_allocation.t \
	%D%/unit/test_allocation_team.t \
	%D%/unit/test_arena.t \
	%D%/unit/test_binomial.t \
	%D%/unit/test_calibration.t \
	%D%/unit/test_campaign_parts.t \
	%D%/unit/test_classes.t \
	%D%/unit/test_classify.t \
	%D%/unit/test_clock.t \
	%D%/unit/test_command_line.t \
	%D%/unit/test_commit.t \
	%D%/unit/test_committee.t \
	%D%/unit/test_committee_pieces.t \
	%D%/unit/test_compile.t \
	%D%/unit/test_compile_broken.t \
	%D%/unit/test_compile_functions.t \
	%D%/unit/test_compile_groups.t \
	%D%/unit/test_compile_operators.t \
	%D%/unit/test_compile_ports.t \
	%D%/unit/test_compile_scripts.t \
	%D%/unit/test_decide.t \
	%D%/unit/test_decide_attempt.t \
	%D%/unit/test_decide_chain.t \
	%D%/unit/test_decide_play.t \
	%D%/unit/test_decide_limits.t \
	%D%/unit/test_data_files.t \
	%D%/unit/test_dataset_writer.t \
	%D%/unit/test_deepmd_dataset.t \
	%D%/unit/test_deepmd_frames.t \
	%D%/unit/test_cp2k_out.t \
	%D%/unit/test_cluster.t \
	%D%/unit/test_conditions.t \
	%D%/unit/test_config_changes.t \
	%D%/unit/test_convergence.t \
	%D%/unit/test_deviation.t \
	%D%/unit/test_deviation_file.t \
	%D%/unit/test_pw_scan.t \
	%D%/unit/test_quick.t \
	%D%/unit/test_row_shape.t \
	%D%/unit/test_cover.t \
	%D%/unit/test_d_optimal.t \
	%D%/unit/test_data_import.t \
	%D%/unit/test_device_watch.t \
	%D%/unit/test_digest.t \
	%D%/unit/test_digest_cache.t \
	%D%/unit/test_doctor.t \
	%D%/unit/test_top_k.t \
	%D%/unit/test_tries_summary.t \
	%D%/unit/test_distinct_frames.t \
	%D%/unit/test_duplicate.t \
	%D%/unit/test_dump_rows.t \
	%D%/unit/test_dump_vectors.t \
	%D%/unit/test_earlier_result.t \
	%D%/unit/test_energy.t \
	%D%/unit/test_engine.t \
	%D%/unit/test_error.t \
	%D%/unit/test_error_levels.t \
	%D%/unit/test_expression.t \
	%D%/unit/test_farthest.t \
	%D%/unit/test_feature_file.t \
	%D%/unit/test_extxyz.t \
	%D%/unit/test_file.t \
	%D%/unit/test_file_system.t \
	%D%/unit/test_file_tree.t \
	%D%/unit/test_findings.t \
	%D%/unit/test_failure_view.t \
	%D%/unit/test_figure.t \
	%D%/unit/test_fingerprint.t \
	%D%/unit/test_force_check.t \
	%D%/unit/test_frame.t \
	%D%/unit/test_frame_origin.t \
	%D%/unit/test_frame_reader.t \
	%D%/unit/test_frame_search.t \
	%D%/unit/test_frame_slice.t \
	%D%/unit/test_generation.t \
	%D%/unit/test_geometry.t \
	%D%/unit/test_group.t \
	%D%/unit/test_health.t \
	%D%/unit/test_group_order.t \
	%D%/unit/test_group_pieces.t \
	%D%/unit/test_harmless.t \
	%D%/unit/test_hash.t \
	%D%/unit/test_home.t \
	%D%/unit/test_input_watch.t \
	%D%/unit/test_identity.t \
	%D%/unit/test_identity_index.t \
	%D%/unit/test_identity_keys.t \
	%D%/unit/test_inputs.t \
	%D%/unit/test_job_around.t \
	%D%/unit/test_job_script.t \
	%D%/unit/test_job_view.t \
	%D%/unit/test_import_machine.t \
	%D%/unit/test_import_texts.t \
	%D%/unit/test_imports.t \
	%D%/unit/test_joined.t \
	%D%/unit/test_history_format.t \
	%D%/unit/test_journal.t \
	%D%/unit/test_json.t \
	%D%/unit/test_json_keys.t \
	%D%/unit/test_json_record.t \
	%D%/unit/test_lammps_binary.t \
	%D%/unit/test_lammps_data.t \
	%D%/unit/test_kept_rows.t \
	%D%/unit/test_lammps_axes.t \
	%D%/unit/test_lammps_dump.t \
	%D%/unit/test_lammps_properties.t \
	%D%/unit/test_layout.t \
	%D%/unit/test_lcurve.t \
	%D%/unit/test_likeness.t \
	%D%/unit/test_learned_needs.t \
	%D%/unit/test_lease.t \
	%D%/unit/test_lease_lost.t \
	%D%/unit/test_lines.t \
	%D%/unit/test_live_lines.t \
	%D%/unit/test_log_limit.t \
	%D%/unit/test_log_reading.t \
	%D%/unit/test_list_file.t \
	%D%/unit/test_literal.t \
	%D%/unit/test_local.t \
	%D%/unit/test_node_shape.t \
	%D%/unit/test_mps.t \
	%D%/unit/test_npy.t \
	%D%/unit/test_number.t \
	%D%/unit/test_step_dedup.t \
	%D%/unit/test_structures_cells.t \
	%D%/unit/test_structures_construction.t \
	%D%/unit/test_structures_properties.t \
	%D%/unit/test_structures_variants.t \
	%D%/unit/test_operator.t \
	%D%/unit/test_operators_code_run.t \
	%D%/unit/test_operators_cp2k_input.t \
	%D%/unit/test_operators_explore_runs.t \
	%D%/unit/test_operators_gpumd.t \
	%D%/unit/test_operators_lammps_deepmd.t \
	%D%/unit/test_operators_element_files.t \
	%D%/unit/test_operators_deepmd_train.t \
	%D%/unit/test_operators_label_endings.t \
	%D%/unit/test_operators_label_frame.t \
	%D%/unit/test_operators_lammps_ending.t \
	%D%/unit/test_operators_lammps_explore.t \
	%D%/unit/test_operators_lammps_input.t \
	%D%/unit/test_operators_qe_ending.t \
	%D%/unit/test_operators_qe_input.t \
	%D%/unit/test_operators_qe_label.t \
	%D%/unit/test_memory_policy.t \
	%D%/unit/test_mistakes.t \
	%D%/unit/test_operators_rules.t \
	%D%/unit/test_operators_step_task.t \
	%D%/unit/test_operators_table.t \
	%D%/unit/test_operators_vasp_label.t \
	%D%/unit/test_loss_out.t \
	%D%/unit/test_manifests.t \
	%D%/unit/test_outputs.t \
	%D%/unit/test_packed_file.t \
	%D%/unit/test_packing.t \
	%D%/unit/test_page.t \
	%D%/unit/test_phases.t \
	%D%/unit/test_place.t \
	%D%/unit/test_place_many.t \
	%D%/unit/test_place_random.t \
	%D%/unit/test_place_rules.t \
	%D%/unit/test_path.t \
	%D%/unit/test_path_change.t \
	%D%/unit/test_pbs_examine.t \
	%D%/unit/test_pbs_history.t \
	%D%/unit/test_pbs_replies.t \
	%D%/unit/test_pbs_script.t \
	%D%/unit/test_pbs_submit.t \
	%D%/unit/test_pbs_view.t \
	%D%/unit/test_poscar.t \
	%D%/unit/test_problems.t \
	%D%/unit/test_process.t \
	%D%/unit/test_process_find.t \
	%D%/unit/test_qe_xml.t \
	%D%/unit/test_record_log.t \
	%D%/unit/test_request_view.t \
	%D%/unit/test_requests.t \
	%D%/unit/test_result.t \
	%D%/unit/test_retention.t \
	%D%/unit/test_result_log.t \
	%D%/unit/test_results.t \
	%D%/unit/test_retry.t \
	%D%/unit/test_rms_force.t \
	%D%/unit/test_rules.t \
	%D%/unit/test_scaling.t \
	%D%/unit/test_scan.t \
	%D%/unit/test_sections.t \
	%D%/unit/test_selection_input.t \
	%D%/unit/test_share.t \
	%D%/unit/test_shell_text.t \
	%D%/unit/test_sim.t \
	%D%/unit/test_short_path.t \
	%D%/unit/test_site.t \
	%D%/unit/test_sizes.t \
	%D%/unit/test_slice_file.t \
	%D%/unit/test_slices.t \
	%D%/unit/test_notices.t \
	%D%/unit/test_scheduler_outage.t \
	%D%/unit/test_function_compare.t \
	%D%/unit/test_python_path.t \
	%D%/unit/test_script.t \
	%D%/unit/test_slots.t \
	%D%/unit/test_slots_rules.t \
	%D%/unit/test_slurm_examine.t \
	%D%/unit/test_slurm_replies.t \
	%D%/unit/test_slurm_script.t \
	%D%/unit/test_slurm_states.t \
	%D%/unit/test_stage_defaults.t \
	%D%/unit/test_spawn.t \
	%D%/unit/test_stage_keys.t \
	%D%/unit/test_stage_names.t \
	%D%/unit/test_state.t \
	%D%/unit/test_super_operators.t \
	%D%/unit/test_super_operators_broken.t \
	%D%/unit/test_state_checkpoint.t \
	%D%/unit/test_state_generations.t \
	%D%/unit/test_state_requests.t \
	%D%/unit/test_state_tries.t \
	%D%/unit/test_store.t \
	%D%/unit/test_store_damage.t \
	%D%/unit/test_store_documents.t \
	%D%/unit/test_strbuf.t \
	%D%/unit/test_stru.t \
	%D%/unit/test_strvec.t \
	%D%/unit/test_frame_stats.t \
	%D%/unit/test_histogram.t \
	%D%/unit/test_taking.t \
	%D%/unit/test_task_checkpoint.t \
	%D%/unit/test_task_key.t \
	%D%/unit/test_task_memory.t \
	%D%/unit/test_task_needs.t \
	%D%/unit/test_task_output.t \
	%D%/unit/test_task_range.t \
	%D%/unit/test_table.t \
	%D%/unit/test_task_watch.t \
	%D%/unit/test_template.t \
	%D%/unit/test_forecast.t \
	%D%/unit/test_queue_waits.t \
	%D%/unit/test_time_left.t \
	%D%/unit/test_type.t \
	%D%/unit/test_units.t \
	%D%/unit/test_vasp_results.t \
	%D%/unit/test_virial_check.t \
	%D%/unit/test_visible_devices.t \
	%D%/unit/test_usage.t \
	%D%/unit/test_value.t \
	%D%/unit/test_version_line.t \
	%D%/unit/test_worker_message.t \
	%D%/unit/test_worker_task.t \
	%D%/unit/test_whole_frames.t \
	%D%/unit/test_wrap.t \
	%D%/unit/test_yaml_node.t \
	%D%/unit/test_yaml_tree.t \
	%D%/unit/test_yaml_write.t
# End of unit_tests

# Every adapter under the same suite; those of clusters are among the slow ones.
adapter_tests = \
	%D%/adapters/test_allocation_conforms.t \
	%D%/adapters/test_local_conforms.t \
	%D%/adapters/test_sim_conforms.t
# End of adapter_tests

conformance_sources = \
	%D%/adapters/conformance.c \
	%D%/adapters/conformance.h \
	%D%/adapters/conformance_chain.c \
	%D%/adapters/conformance_life.c \
	%D%/adapters/conformance_silence.c \
	%D%/adapters/world.c \
	%D%/adapters/world.h
# End of conformance_sources

%C%_adapters_test_allocation_conforms_t_SOURCES = \
	$(conformance_sources) \
	%D%/adapters/test_allocation_conforms.c
# End of %C%_adapters_test_allocation_conforms_t_SOURCES

%C%_adapters_test_local_conforms_t_SOURCES = \
	$(conformance_sources) \
	%D%/adapters/test_local_conforms.c
# End of %C%_adapters_test_local_conforms_t_SOURCES

%C%_adapters_test_pbs_conforms_t_SOURCES = \
	$(conformance_sources) \
	%D%/adapters/test_pbs_conforms.c
# End of %C%_adapters_test_pbs_conforms_t_SOURCES

%C%_adapters_test_slurm_conforms_t_SOURCES = \
	$(conformance_sources) \
	%D%/adapters/test_slurm_conforms.c
# End of %C%_adapters_test_slurm_conforms_t_SOURCES

simulated_scheduler = \
	%D%/sim/cluster.c \
	%D%/sim/cluster.h \
	%D%/sim/sim.c \
	%D%/sim/sim.h
# End of simulated_scheduler

%C%_adapters_test_sim_conforms_t_SOURCES = \
	$(conformance_sources) \
	$(simulated_scheduler) \
	%D%/adapters/test_sim_conforms.c
# End of %C%_adapters_test_sim_conforms_t_SOURCES

%C%_unit_test_sim_t_SOURCES = \
	$(simulated_scheduler) \
	%D%/unit/test_sim.c
# End of %C%_unit_test_sim_t_SOURCES

# Notes what is synced, renamed and written.
%C%_unit_test_commit_t_SOURCES = %D%/unit/test_commit.c
%C%_unit_test_commit_t_LDFLAGS = $(AM_LDFLAGS) \
	-Wl,--wrap=fsync \
	-Wl,--wrap=renameat \
	-Wl,--wrap=write

# Directories that cannot be synced.
%C%_unit_test_requests_t_SOURCES = %D%/unit/test_requests.c
%C%_unit_test_requests_t_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=fsync

# What another agent does meanwhile.
%C%_unit_test_earlier_result_t_SOURCES = %D%/unit/test_earlier_result.c
%C%_unit_test_earlier_result_t_LDFLAGS = $(AM_LDFLAGS) \
	-Wl,--wrap=assignment_moved

fuzz_tests = \
	%D%/fuzz/fuzz_abacus.t \
	%D%/fuzz/fuzz_campaign.t \
	%D%/fuzz/fuzz_code_ending.t \
	%D%/fuzz/fuzz_committee_files.t \
	%D%/fuzz/fuzz_cp2k_input.t \
	%D%/fuzz/fuzz_cp2k_out.t \
	%D%/fuzz/fuzz_deepmd_input.t \
	%D%/fuzz/fuzz_deviation_file.t \
	%D%/fuzz/fuzz_dump_rows.t \
	%D%/fuzz/fuzz_expression.t \
	%D%/fuzz/fuzz_extxyz.t \
	%D%/fuzz/fuzz_frame_files.t \
	%D%/fuzz/fuzz_gpumd.t \
	%D%/fuzz/fuzz_frame_reader.t \
	%D%/fuzz/fuzz_import.t \
	%D%/fuzz/fuzz_imports.t \
	%D%/fuzz/fuzz_journal.t \
	%D%/fuzz/fuzz_json.t \
	%D%/fuzz/fuzz_lammps_dump.t \
	%D%/fuzz/fuzz_lcurve.t \
	%D%/fuzz/fuzz_messages.t \
	%D%/fuzz/fuzz_orders.t \
	%D%/fuzz/fuzz_outcar.t \
	%D%/fuzz/fuzz_pbs_jobs.t \
	%D%/fuzz/fuzz_pbs_site.t \
	%D%/fuzz/fuzz_poscar.t \
	%D%/fuzz/fuzz_pw_scan.t \
	%D%/fuzz/fuzz_result_json.t \
	%D%/fuzz/fuzz_result_log.t \
	%D%/fuzz/fuzz_score_table.t \
	%D%/fuzz/fuzz_shell_text.t \
	%D%/fuzz/fuzz_slurm_rows.t \
	%D%/fuzz/fuzz_slurm_site.t \
	%D%/fuzz/fuzz_template.t \
	%D%/fuzz/fuzz_units.t \
	%D%/fuzz/fuzz_vasprun.t \
	%D%/fuzz/fuzz_worker_message.t \
	%D%/fuzz/fuzz_writers.t \
	%D%/fuzz/fuzz_yaml.t
# End of fuzz_tests

EXTRA_LIBRARIES += %D%/fuzz/libreplay.a
%C%_fuzz_libreplay_a_SOURCES = %D%/fuzz/replay_main.c
fuzz_main = %D%/fuzz/libreplay.a
EXTRA_PROGRAMS += $(fuzz_tests)
TESTS += $(fuzz_tests)

# What scripts/crash-sweep kills with, and lets calls fail with.
test_tools += %D%/crash/fail_at %D%/crash/kill_at
tracing = \
	%D%/crash/calls.c \
	%D%/crash/calls.h \
	%D%/crash/roles.c \
	%D%/crash/roles.h \
	%D%/crash/tracer.c \
	%D%/crash/tracer.h
# End of tracing
%C%_crash_fail_at_SOURCES = $(tracing) \
	%D%/crash/fail_at.c \
	%D%/crash/faults.c \
	%D%/crash/faults.h
# End of %C%_crash_fail_at_SOURCES
%C%_crash_fail_at_LDADD =
%C%_crash_kill_at_SOURCES = $(tracing) \
	%D%/crash/kill_at.c
# End of %C%_crash_kill_at_SOURCES
%C%_crash_kill_at_LDADD =

# What 0430-store.t and the crash sweep put into a store with.
test_tools += %D%/store/use_store
%C%_store_use_store_SOURCES = %D%/store/use_store.c
%C%_store_use_store_LDADD = $(floor_libs) $(outside_libs)

# What 0118-mutants.t breaks campaigns with, and what asks what is said of each.
test_tools += %D%/mutate/mutate
%C%_mutate_mutate_SOURCES = %D%/mutate/mutate.c
%C%_mutate_mutate_LDADD = $(floor_libs) $(outside_libs)
test_tools += %D%/mutate/told
%C%_mutate_told_SOURCES = %D%/mutate/told.c
%C%_mutate_told_LDADD = $(floor_libs) $(outside_libs)

# What a large stage costs a driver (scripts/bench scale).
test_tools += %D%/bench/bench_scale
%C%_bench_bench_scale_SOURCES = %D%/bench/bench_scale.c

# What a report of a large campaign costs (scripts/bench report).
test_tools += %D%/bench/bench_report
%C%_bench_bench_report_SOURCES = %D%/bench/bench_report.c

# What an agent costs for each task (scripts/bench agent).
test_tools += %D%/bench/bench_agent
%C%_bench_bench_agent_SOURCES = %D%/bench/bench_agent.c

# Campaigns in simulated worlds: the program's own calls of the system are led
# to tests/sim/calls.c.
test_tools += %D%/sim/simulate
%C%_sim_simulate_SOURCES = \
	$(simulated_scheduler) \
	%D%/sim/calls.c \
	%D%/sim/calls.h \
	%D%/sim/check.c \
	%D%/sim/check.h \
	%D%/sim/check_generations.c \
	%D%/sim/check_generations.h \
	%D%/sim/check_publishing.c \
	%D%/sim/check_publishing.h \
	%D%/sim/check_taking.c \
	%D%/sim/check_taking.h \
	%D%/sim/disk.c \
	%D%/sim/disk.h \
	%D%/sim/drivers.c \
	%D%/sim/drivers.h \
	%D%/sim/faults.c \
	%D%/sim/faults.h \
	%D%/sim/nodes.c \
	%D%/sim/nodes.h \
	%D%/sim/process_calls.c \
	%D%/sim/scenario.c \
	%D%/sim/scenario.h \
	%D%/sim/simulate.c \
	%D%/sim/task_process.c \
	%D%/sim/task_process.h \
	%D%/sim/world.c \
	%D%/sim/world.h
# End of %C%_sim_simulate_SOURCES
%C%_sim_simulate_LDADD = $(floor_libs) $(outside_libs)
%C%_sim_simulate_LDFLAGS = $(AM_LDFLAGS) \
	-Wl,--wrap=open \
	-Wl,--wrap=close \
	-Wl,--wrap=pread \
	-Wl,--wrap=read \
	-Wl,--wrap=write \
	-Wl,--wrap=lseek \
	-Wl,--wrap=fsync \
	-Wl,--wrap=ftruncate \
	-Wl,--wrap=fstat \
	-Wl,--wrap=stat \
	-Wl,--wrap=lstat \
	-Wl,--wrap=access \
	-Wl,--wrap=realpath \
	-Wl,--wrap=chmod \
	-Wl,--wrap=mkdir \
	-Wl,--wrap=rmdir \
	-Wl,--wrap=unlink \
	-Wl,--wrap=remove \
	-Wl,--wrap=link \
	-Wl,--wrap=rename \
	-Wl,--wrap=opendir \
	-Wl,--wrap=readdir \
	-Wl,--wrap=closedir \
	-Wl,--wrap=glob \
	-Wl,--wrap=tree_walk \
	-Wl,--wrap=openat \
	-Wl,--wrap=mkdirat \
	-Wl,--wrap=renameat \
	-Wl,--wrap=unlinkat \
	-Wl,--wrap=fchmodat \
	-Wl,--wrap=fallocate \
	-Wl,--wrap=statvfs \
	-Wl,--wrap=fopen \
	-Wl,--wrap=clock_gettime \
	-Wl,--wrap=nanosleep \
	-Wl,--wrap=getrandom \
	-Wl,--wrap=gethostname \
	-Wl,--wrap=getpid \
	-Wl,--wrap=process_start_ticks \
	-Wl,--wrap=sigprocmask \
	-Wl,--wrap=sigaction \
	-Wl,--wrap=sigtimedwait \
	-Wl,--wrap=prctl \
	-Wl,--wrap=kill \
	-Wl,--wrap=waitpid \
	-Wl,--wrap=wait4 \
	-Wl,--wrap=spawn \
	-Wl,--wrap=process_run \
	-Wl,--wrap=slots_cut \
	-Wl,--wrap=cpu_list_of_process \
	-Wl,--wrap=orphan_processes_possible \
	-Wl,--wrap=orphan_processes_kill \
	-Wl,--wrap=orphan_processes_kill_orphans \
	-Wl,--wrap=oom_kills \
	-Wl,--wrap=oom_kills_file \
	-Wl,--wrap=short_path_make
# End of %C%_sim_simulate_LDFLAGS

cli_tests = \
	%D%/cli/0100-check.t \
	%D%/cli/0105-plan-node.t \
	%D%/cli/0106-plan-simulate.t \
	%D%/cli/0110-bad-input.t \
	%D%/cli/0115-check-groups.t \
	%D%/cli/0116-site-mistakes.t \
	%D%/cli/0118-mutants.t \
	%D%/cli/0119-mistakes.t \
	%D%/cli/0121-unusual.t \
	%D%/cli/0120-ports.t \
	%D%/cli/0300-run.t \
	%D%/cli/0301-clock.t \
	%D%/cli/0310-advance.t \
	%D%/cli/0315-chain.t \
	%D%/cli/0320-killed.t \
	%D%/cli/0325-devices.t \
	%D%/cli/0326-binding.t \
	%D%/cli/0327-checkpoint.t \
	%D%/cli/0328-launchers.t \
	%D%/cli/0341-learned.t \
	%D%/cli/0329-groups.t \
	%D%/cli/0331-group-nodes.t \
	%D%/cli/0332-group-status.t \
	%D%/cli/0373-names.t \
	%D%/cli/0333-log.t \
	%D%/cli/0334-result-wait.t \
	%D%/cli/0335-env.t \
	%D%/cli/0336-lists.t \
	%D%/cli/0337-failures.t \
	%D%/cli/0338-usage.t \
	%D%/cli/0339-array-limits.t \
	%D%/cli/0340-requests.t \
	%D%/cli/0367-home.t \
	%D%/cli/0346-identity.t \
	%D%/cli/0347-unreadable-results.t \
	%D%/cli/0348-edited.t \
	%D%/cli/0349-extended.t \
	%D%/cli/0352-joined.t \
	%D%/cli/0342-group-campaign.t \
	%D%/cli/0353-data.t \
	%D%/cli/0354-phases.t \
	%D%/cli/0350-outcomes.t \
	%D%/cli/0351-redo.t \
	%D%/cli/0355-machine-errors.t \
	%D%/cli/0356-renamed.t \
	%D%/cli/0357-reset.t \
	%D%/cli/0363-keep.t \
	%D%/cli/0365-du.t \
	%D%/cli/0358-reuse.t \
	%D%/cli/0359-super-operators.t \
	%D%/cli/0364-calls.t \
	%D%/cli/0360-hostile.t \
	%D%/cli/0366-script.t \
	%D%/cli/0371-beside.t \
	%D%/cli/0372-damage.t \
	%D%/cli/0374-sealed.t \
	%D%/cli/0375-witness.t \
	%D%/cli/0376-generations.t \
	%D%/cli/0377-modules.t \
	%D%/cli/0378-programs.t \
	%D%/cli/0379-versions.t \
	%D%/cli/0368-terminal.t \
	%D%/cli/0369-trust.t \
	%D%/cli/0362-image.t \
	%D%/cli/0361-provenance.t \
	%D%/cli/0381-notify.t \
	%D%/cli/0380-simulate.t \
	%D%/cli/0382-model.t \
	%D%/cli/0383-live.t \
	%D%/cli/0384-report.t \
	%D%/cli/0385-export-campaigns.t \
	%D%/cli/0386-schemas.t \
	%D%/cli/0387-json.t \
	%D%/cli/0388-upgrade.t \
	%D%/cli/0390-doctor.t \
	%D%/cli/0391-doctor-programs.t \
	%D%/cli/0421-lammps-systems.t \
	%D%/cli/0423-gpumd-train.t \
	%D%/cli/0410-lammps-label.t \
	%D%/cli/0411-label-campaign.t \
	%D%/cli/0430-store.t \
	%D%/cli/0440-cp2k-label.t \
	%D%/cli/0431-deepmd-train.t \
	%D%/cli/0441-water-cp2k.t \
	%D%/cli/0442-abacus-label.t \
	%D%/cli/0443-xtb-label.t \
	%D%/cli/0465-calibrate.t \
	%D%/cli/0470-worker.t \
	%D%/cli/0471-worker-check.t \
	%D%/cli/0433-training-codes.t \
	%D%/cli/0472-ase-worker.t \
	%D%/cli/0474-simplify.t \
	%D%/cli/0475-python.t \
	%D%/cli/0530-select.t \
	%D%/cli/0612-structures-make.t \
	%D%/cli/0613-lammps-properties.t \
	%D%/cli/0614-aluminium.t \
	%D%/cli/0535-converge.t \
	%D%/cli/0558-batch-campaign.t \
	%D%/cli/0860-fake-pbs.t \
	%D%/cli/0864-pbs-doctor.t \
	%D%/cli/0870-allocation.t \
	%D%/cli/0900-manual.t \
	%D%/cli/0901-help.t \
	%D%/cli/0903-manual-html.t \
	%D%/cli/0904-picture.t \
	%D%/cli/0905-install.t \
	%D%/cli/0906-hardened.t \
	%D%/cli/0907-packages.t \
	%D%/cli/tap.t \
	%D%/cli/format.t \
	%D%/cli/words.t \
	%D%/cli/check-layers.t
# End of cli_tests

# Those that start MPI programs themselves.
mpi_tests = \
	%D%/cli/0420-lammps-deepmd.t \
	%D%/cli/0622-health.t \
	%D%/cli/0422-gpumd-explore.t \
	%D%/cli/0432-deepmd-campaign.t \
	%D%/cli/0450-vasp.t \
	%D%/cli/0460-convert.t \
	%D%/cli/0461-data.t \
	%D%/cli/0480-import.t \
	%D%/cli/0500-reduce-ranks.t \
	%D%/cli/0510-reduce-deviations.t \
	%D%/cli/0515-reduce-clusters.t \
	%D%/cli/0520-reduce-duplicates.t \
	%D%/cli/0525-reduce-relative.t \
	%D%/cli/0540-reduce-death.t \
	%D%/cli/0545-reduce-many-files.t \
	%D%/cli/0550-reduce-lists.t \
	%D%/cli/0555-select-structures.t \
	%D%/cli/0556-reduce-error-levels.t \
	%D%/cli/0557-reduce-batch.t \
	%D%/cli/0559-reduce-health.t
# End of mpi_tests

# What takes minutes: clusters, engines, long schedules.  check-quick leaves it out.
# The longest come first: none is to be waited for alone.
slow_mpi_tests = \
	%D%/cli/0866-pbs-silicon.t \
	%D%/cli/0850-slurm-mpi.t \
	%D%/cli/0852-slurm-group.t \
	%D%/cli/0865-pbs-mpi.t
# End of slow_mpi_tests

slow_cli_tests = \
	%D%/cli/0330-crash-sweep.t \
	%D%/cli/0344-durable.t \
	%D%/cli/0345-fault-sweep.t \
	%D%/cli/0862-pbs-faults.t \
	%D%/cli/0820-slurm-faults.t \
	%D%/cli/0853-slurm-quick.t \
	%D%/cli/0855-slurm-doctor.t \
	%D%/cli/0856-slurm-pipeline.t \
	%D%/cli/0857-slurm-allocation.t \
	%D%/cli/0858-slurm-allocation-nodes.t \
	%D%/cli/0859-slurm-threads.t \
	%D%/cli/0815-slurm-silicon.t \
	%D%/cli/0816-slurm-image.t \
	%D%/cli/0818-slurm-prep-run-train.t \
	%D%/cli/0819-slurm-job-function.t \
	%D%/cli/0700-silicon.t \
	%D%/cli/0705-prep-run-train.t \
	%D%/cli/0710-life.t \
	%D%/cli/0817-slurm-life.t \
	%D%/cli/0720-task-group.t \
	%D%/cli/0725-quick.t \
	%D%/cli/0902-tutorial.t \
	%D%/cli/0730-job-function.t \
	%D%/cli/0370-concurrency.t \
	%D%/cli/0473-slurm-worker.t \
	%D%/cli/0847-slurm-chain.t \
	%D%/cli/0848-slurm-outage.t \
	%D%/cli/0830-slurm-accounting.t \
	%D%/cli/0840-slurm-limits.t \
	%D%/cli/0863-pbs-people.t \
	%D%/cli/0849-slurm-inside.t \
	%D%/cli/0810-slurm-loop.t \
	%D%/cli/0845-slurm-memory.t \
	%D%/cli/0867-pbs-chain.t \
	%D%/cli/0868-pbs-server.t \
	%D%/cli/0871-pbs-outage.t \
	%D%/cli/0869-pbs-group.t \
	%D%/cli/0872-pbs-allocation.t \
	%D%/cli/0874-pbs-pipeline.t \
	%D%/cli/0873-pbs-gpus.t \
	%D%/cli/0861-pbs-loop.t \
	%D%/cli/0800-testbed-slurm.t \
	%D%/cli/0610-qe-label.t \
	%D%/cli/0600-lammps-explore.t \
	%D%/cli/0620-model-devi-select.t \
	%D%/cli/0621-probe.t
# End of slow_cli_tests

slow_adapter_tests = \
	%D%/adapters/test_slurm_conforms.t \
	%D%/adapters/test_pbs_conforms.t
# End of slow_adapter_tests

slow_tests = $(slow_mpi_tests) $(slow_cli_tests) $(slow_adapter_tests)

if HAVE_MPI
TESTS += $(slow_mpi_tests)
endif
TESTS += $(slow_cli_tests)
if HAVE_CMOCKA
EXTRA_PROGRAMS += $(slow_adapter_tests) $(unit_tests) $(adapter_tests)
TESTS += $(slow_adapter_tests) $(unit_tests) $(adapter_tests)
else
# Nothing is left out in silence.
check-local:
	@echo "unit tests: cmocka >= 1.1.5 is missing;" \
	    "install libcmocka-dev, configure again, then make check" >&2
	@false
endif
# What needs codes that Debian does not have, and says so without them.
real_tests = %D%/real/deepmd.t

TESTS += $(real_tests)
dist_check_SCRIPTS += $(real_tests)
dist_check_SCRIPTS += $(cli_tests) $(mpi_tests)
dist_check_SCRIPTS += $(slow_cli_tests) $(slow_mpi_tests)
TESTS += $(cli_tests)
if HAVE_MPI
TESTS += $(mpi_tests)
test_tools += %D%/mpi/where
%C%_mpi_where_SOURCES = %D%/mpi/where.c
%C%_mpi_where_CFLAGS = $(AM_CFLAGS) $(MPI_CFLAGS)
%C%_mpi_where_LDADD = $(MPI_LIBS)
endif

# Directories go into the distribution with all that is in them.
test_support = \
	%D%/cli/crash \
	%D%/cli/crash-life \
	%D%/cli/crash-call \
	%D%/cli/crash-quick \
	%D%/cli/crash-store \
	%D%/cli/crash-reduce \
	%D%/cli/cp2k-label \
	%D%/cli/lammps-properties \
	%D%/cli/structures-make \
	%D%/cli/blocks.sh \
	%D%/cli/dp \
	%D%/cli/loop \
	%D%/cli/mutants \
	%D%/cli/error_levels.py \
	%D%/cli/health.py \
	%D%/cli/reduce.sh \
	%D%/cli/durable.awk \
	%D%/cli/engine.sh \
	%D%/cli/label.sh \
	%D%/cli/image.sh \
	%D%/cli/job-function.sh \
	%D%/cli/life.sh \
	%D%/cli/pbs.sh \
	%D%/cli/quick.sh \
	%D%/cli/html_page.py \
	%D%/cli/schema.py \
	%D%/cli/terminal.py \
	%D%/cli/silicon.sh \
	%D%/cli/mistakes.sh \
	%D%/cli/slurm.sh \
	%D%/cli/tap.sh \
	%D%/cli/work.sh \
	%D%/cli/worker \
	%D%/cli/worker.sh \
	%D%/python/test_declare.py \
	%D%/python/test_tasks.py \
	%D%/python/test_workers.py \
	%D%/bench/bench_tool.c \
	%D%/bench/make_frames.py \
	%D%/bench/peer_numpy.py \
	%D%/fakes \
	%D%/fixtures \
	%D%/fuzz/corpus \
	%D%/fuzz/fuzz.h \
	%D%/fuzz/fuzz_dir.h \
	%D%/fuzz/fuzz_site.h \
	%D%/fuzz/labelled_frame.h \
	%D%/fuzz/whole_records.h \
	%D%/scratch-dir \
	%D%/unit/agent_scene.h \
	%D%/unit/allocation_scene.h \
	%D%/unit/compile_scene.h \
	%D%/unit/decide_scene.h \
	%D%/unit/fixture.h \
	%D%/unit/fsync_calls.h \
	%D%/unit/history.h \
	%D%/unit/state_rows.h \
	%D%/unit/mistakes.h \
	%D%/unit/node_scene.h \
	%D%/unit/inputs_scene.h \
	%D%/unit/placement_checks.h \
	%D%/unit/observed.h \
	%D%/unit/committee_world.h \
	%D%/unit/quoted_json.h \
	%D%/unit/rendered.h \
	%D%/unit/stdout_to.h \
	%D%/unit/npy_file.h \
	%D%/unit/in_temp_dir.h \
	%D%/unit/lease_scene.h \
	%D%/unit/live_scene.h \
	%D%/unit/store_scene.h \
	%D%/unit/structures_scene.h \
	%D%/unit/super_operator_scene.h \
	%D%/unit/temp_dir.h \
	%D%/unit/toy_world.h \
	%D%/model/campaign.pml \
	%D%/model/generation.pml \
	%D%/model/lease.pml \
	%D%/model/protocol.pml \
	%D%/model/tamper.awk \
	%D%/model/trace.awk \
	%D%/model/trace.pml
# End of test_support

EXTRA_DIST += $(test_support)

# What tests share that take long to make it.
CLEANFILES += \
	%D%/cli/silicon-here \
	%D%/cli/silicon-here.key \
	%D%/cli/silicon-here.lock

# A program is built for the tests that are run: a unit test for itself, these for
# those that are scripts.
EXTRA_PROGRAMS += $(test_tools)
scripted_tests = $(cli_tests) $(slow_cli_tests) $(mpi_tests) $(slow_mpi_tests) \
	$(real_tests)
$(scripted_tests:.t=.log): $(bin_PROGRAMS) $(test_tools)
CLEANFILES += $(EXTRA_PROGRAMS) $(EXTRA_LIBRARIES)

# All that tests run; what those of check-commands do.
.PHONY: test-programs test-tools
test-programs: $(EXTRA_PROGRAMS)
test-tools: $(test_tools) $(slow_adapter_tests)

# Unit tests and fuzz targets, and what MORE_TESTS names.
.PHONY: check-unit
check-unit:
	$(MAKE) $(AM_MAKEFLAGS) check \
	    TESTS='$(unit_tests) $(adapter_tests) $(fuzz_tests) $(MORE_TESTS)'

# The others.
.PHONY: check-commands
check-commands:
	$(MAKE) $(AM_MAKEFLAGS) check \
	    TESTS='$(filter-out $(unit_tests) $(adapter_tests) $(fuzz_tests),$(TESTS))'

.PHONY: check-quick
check-quick:
	$(MAKE) $(AM_MAKEFLAGS) check \
	    TESTS='$(filter-out $(slow_tests),$(TESTS))'
