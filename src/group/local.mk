# group - runs the programs of a group

noinst_LIBRARIES += %D%/libgroup.a
floor_libs += %D%/libgroup.a
%C%_libgroup_a_SOURCES = \
	%D%/group.c \
	%D%/group.h \
	%D%/lines.c \
	%D%/lines.h \
	%D%/node.c \
	%D%/node.h \
	%D%/order.c \
	%D%/order.h \
	%D%/params.c \
	%D%/params.h \
	%D%/records.c \
	%D%/records.h \
	%D%/report.c \
	%D%/report.h \
	%D%/step.c \
	%D%/step.h \
	%D%/stream.c \
	%D%/stream.h \
	%D%/values.c \
	%D%/values.h \
	%D%/watch.c \
	%D%/watch.h \
	%D%/workspace.c \
	%D%/workspace.h
# End of %C%_libgroup_a_SOURCES
