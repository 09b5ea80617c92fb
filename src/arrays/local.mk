# arrays - array jobs, bundles, packing, the job script

noinst_LIBRARIES += %D%/libarrays.a
floor_libs += %D%/libarrays.a
%C%_libarrays_a_SOURCES = \
	%D%/array_job.h \
	%D%/job_script.c \
	%D%/outcome.c \
	%D%/outcome.h \
	%D%/packing.c \
	%D%/packing.h \
	%D%/task_range.c \
	%D%/task_range.h
# End of %C%_libarrays_a_SOURCES
