# store - contents by their digest, for fanfold quick

noinst_LIBRARIES += %D%/libstore.a
floor_libs += %D%/libstore.a
%C%_libstore_a_SOURCES = \
	%D%/store.c \
	%D%/store.h \
	%D%/store_content.c \
	%D%/store_private.h \
	%D%/store_record.c \
	%D%/store_upkeep.c \
	%D%/store_upkeep.h \
	%D%/store_verify.c
# End of %C%_libstore_a_SOURCES
