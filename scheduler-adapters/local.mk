# scheduler-adapters - one folder each behind adapter.h

noinst_LIBRARIES += %D%/libadapters.a
floor_libs += %D%/libadapters.a
%C%_libadapters_a_SOURCES = \
	%D%/adapter.h \
	%D%/local/cores.c \
	%D%/local/cores.h \
	%D%/local/launch.c \
	%D%/local/launch.h \
	%D%/local/local.c \
	%D%/local/local.h \
	%D%/local/spool.c \
	%D%/local/spool.h \
	%D%/local/supervisor.c \
	%D%/local/supervisor.h \
	%D%/registry.c
# End of %C%_libadapters_a_SOURCES

EXTRA_DIST += %D%/ADDING-ONE.md
