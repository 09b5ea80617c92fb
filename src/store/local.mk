# store - contents by their digest, shared by campaigns

noinst_LIBRARIES += %D%/libstore.a
floor_libs += %D%/libstore.a
%C%_libstore_a_SOURCES = \
	%D%/store.c \
	%D%/store.h \
	%D%/store_file.c \
	%D%/store_private.h \
	%D%/store_record.c \
	%D%/store_tree.c
# End of %C%_libstore_a_SOURCES
