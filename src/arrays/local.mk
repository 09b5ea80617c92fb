# arrays - array jobs, bundles, packing, the job script

noinst_LIBRARIES += %D%/libarrays.a
floor_libs += %D%/libarrays.a
%C%_libarrays_a_SOURCES = \
	%D%/array_job.h \
	%D%/bundles.c \
	%D%/bundles.h \
	%D%/job_order.c \
	%D%/job_order.h \
	%D%/job_script.c \
	%D%/outcome.c \
	%D%/outcome.h \
	%D%/packing.c \
	%D%/packing.h \
	%D%/result_log.c \
	%D%/result_log.h \
	%D%/stage_order.c \
	%D%/stage_order.h \
	%D%/task_range.c \
	%D%/task_range.h \
	%D%/task_result.c \
	%D%/task_result.h
# End of %C%_libarrays_a_SOURCES
