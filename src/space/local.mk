# space - the data space on disk

noinst_LIBRARIES += %D%/libspace.a
floor_libs += %D%/libspace.a
%C%_libspace_a_SOURCES = \
	%D%/layout.c \
	%D%/layout.h \
	%D%/layout_read.c \
	%D%/layout_read.h \
	%D%/lease.c \
	%D%/lease.h \
	%D%/process_identity.c \
	%D%/process_identity.h \
	%D%/record_log.c \
	%D%/record_log.h \
	%D%/task_key.c \
	%D%/task_key.h
# End of %C%_libspace_a_SOURCES
