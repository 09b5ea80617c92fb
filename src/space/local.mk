# space - the data space on disk

noinst_LIBRARIES += %D%/libspace.a
floor_libs += %D%/libspace.a
%C%_libspace_a_SOURCES = \
	%D%/lease.c \
	%D%/lease.h
# End of %C%_libspace_a_SOURCES
