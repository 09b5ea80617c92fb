# store - contents by their digest, for fanfold quick

noinst_LIBRARIES += %D%/libstore.a
floor_libs += %D%/libstore.a
%C%_libstore_a_SOURCES = \
	%D%/store.c \
	%D%/store.h \
	%D%/store_batch.c \
	%D%/store_census.c \
	%D%/store_census.h \
	%D%/store_file.c \
	%D%/store_gc.c \
	%D%/store_private.h \
	%D%/store_record.c \
	%D%/store_referrers.c \
	%D%/store_tree.c \
	%D%/store_upkeep.h \
	%D%/store_verify.c \
	%D%/tree_list.c \
	%D%/tree_list.h
# End of %C%_libstore_a_SOURCES
