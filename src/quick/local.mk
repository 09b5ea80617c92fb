# quick - a training from local files: what is registered, the campaign it becomes

noinst_LIBRARIES += %D%/libquick.a
floor_libs += %D%/libquick.a
%C%_libquick_a_SOURCES = \
	%D%/archive.c \
	%D%/archive.h \
	%D%/archive_library.c \
	%D%/archive_library.h \
	%D%/git_tree.c \
	%D%/git_tree.h \
	%D%/hyperparams.c \
	%D%/hyperparams.h \
	%D%/quick_task.c \
	%D%/quick_task.h \
	%D%/registry.c \
	%D%/registry.h \
	%D%/resource.c \
	%D%/resource.h \
	%D%/resource_name.c \
	%D%/resource_name.h \
	%D%/training.c \
	%D%/training.h \
	%D%/tree_links.c \
	%D%/tree_links.h
# End of %C%_libquick_a_SOURCES
