# doctor - what is wrong with a site: trials, probe jobs, what they mean

noinst_LIBRARIES += %D%/libdoctor.a
floor_libs += %D%/libdoctor.a
%C%_libdoctor_a_SOURCES = \
	%D%/doctor.c \
	%D%/doctor.h \
	%D%/node_report.c \
	%D%/node_programs.c \
	%D%/probe.c \
	%D%/stage_programs.c \
	%D%/trial.c
# End of %C%_libdoctor_a_SOURCES
