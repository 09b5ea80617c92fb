# agent - runs bundles on a node

noinst_LIBRARIES += %D%/libagent.a
floor_libs += %D%/libagent.a
%C%_libagent_a_SOURCES = \
	%D%/agent.c \
	%D%/agent.h \
	%D%/agent_signals.c \
	%D%/agent_signals.h \
	%D%/assignment.c \
	%D%/assignment.h \
	%D%/claim.c \
	%D%/claim.h \
	%D%/commit.c \
	%D%/commit.h \
	%D%/device_runs.c \
	%D%/device_runs.h \
	%D%/device_watch.c \
	%D%/device_watch.h \
	%D%/group_task.c \
	%D%/group_task.h \
	%D%/earlier_result.c \
	%D%/earlier_result.h \
	%D%/energy.c \
	%D%/energy.h \
	%D%/input_watch.c \
	%D%/input_watch.h \
	%D%/log_limit.c \
	%D%/log_limit.h \
	%D%/memory_cgroup.c \
	%D%/memory_cgroup.h \
	%D%/memory_use.c \
	%D%/memory_use.h \
	%D%/mps.c \
	%D%/mps.h \
	%D%/mps_slots.c \
	%D%/mps_slots.h \
	%D%/mps_supervisor.c \
	%D%/mps_supervisor.h \
	%D%/orphan_processes.c \
	%D%/orphan_processes.h \
	%D%/output_file.c \
	%D%/output_file.h \
	%D%/restart.c \
	%D%/restart.h \
	%D%/short_path.c \
	%D%/short_path.h \
	%D%/shortage.c \
	%D%/shortage.h \
	%D%/task.c \
	%D%/task.h \
	%D%/task_beside.c \
	%D%/task_beside.h \
	%D%/task_commands.c \
	%D%/task_commands.h \
	%D%/task_env.c \
	%D%/task_env.h \
	%D%/task_files.c \
	%D%/task_files.h \
	%D%/task_finish.c \
	%D%/task_finish.h \
	%D%/task_log.c \
	%D%/task_place.c \
	%D%/task_place.h \
	%D%/task_log.h \
	%D%/task_memory.c \
	%D%/task_memory.h \
	%D%/task_outcome.c \
	%D%/task_outcome.h \
	%D%/task_run.c \
	%D%/task_run.h \
	%D%/task_processes.c \
	%D%/task_processes.h \
	%D%/worker.c \
	%D%/worker.h \
	%D%/worker_task.c \
	%D%/worker_task.h
# End of %C%_libagent_a_SOURCES
