# doctor - what is wrong with a site: trials, probe jobs, what they mean

noinst_LIBRARIES += %D%/libdoctor.a
floor_libs += %D%/libdoctor.a
%C%_libdoctor_a_SOURCES = \
	%D%/doctor.c \
	%D%/doctor.h \
	%D%/node_report.c \
	%D%/node_report.h \
	%D%/probe.c \
	%D%/probe.h \
	%D%/trial.c \
	%D%/trial.h
# End of %C%_libdoctor_a_SOURCES
