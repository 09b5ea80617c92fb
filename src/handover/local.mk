# handover - what the engine and the agent leave for each other

noinst_LIBRARIES += %D%/libhandover.a
floor_libs += %D%/libhandover.a
%C%_libhandover_a_SOURCES = \
	%D%/element_logs.c \
	%D%/element_logs.h \
	%D%/group_file.c \
	%D%/group_file.h \
	%D%/job_manifest.c \
	%D%/job_manifest.h \
	%D%/list_file.c \
	%D%/list_file.h \
	%D%/local.mk \
	%D%/node_name.c \
	%D%/node_name.h \
	%D%/python_path.c \
	%D%/python_path.h \
	%D%/records.c \
	%D%/records.h \
	%D%/result_log.c \
	%D%/result_log.h \
	%D%/scratch_file.c \
	%D%/scratch_file.h \
	%D%/script_run.c \
	%D%/script_run.h \
	%D%/slice_file.c \
	%D%/slice_file.h \
	%D%/stage_manifest.c \
	%D%/stage_manifest.h \
	%D%/task_checkpoint.c \
	%D%/task_checkpoint.h \
	%D%/task_file.c \
	%D%/task_file.h \
	%D%/task_result.c \
	%D%/task_result.h \
	%D%/worker_message.c \
	%D%/worker_message.h
# End of %C%_libhandover_a_SOURCES
