# group - runs the programs of a group

noinst_LIBRARIES += %D%/libgroup.a
floor_libs += %D%/libgroup.a
%C%_libgroup_a_SOURCES = \
	%D%/far_node.c \
	%D%/far_node.h \
	%D%/far_nodes.c \
	%D%/far_nodes.h \
	%D%/group.c \
	%D%/group.h \
	%D%/group_signals.c \
	%D%/group_signals.h \
	%D%/lines.c \
	%D%/lines.h \
	%D%/node.c \
	%D%/node.h \
	%D%/order.c \
	%D%/order.h \
	%D%/params.c \
	%D%/params.h \
	%D%/port.c \
	%D%/port.h \
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
	%D%/wire.c \
	%D%/wire.h \
	%D%/workspace.c \
	%D%/workspace.h
# End of %C%_libgroup_a_SOURCES
