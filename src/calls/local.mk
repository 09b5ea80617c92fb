# calls - calls of a campaign's functions: which there are, and how one is made

noinst_LIBRARIES += %D%/libcalls.a
floor_libs += %D%/libcalls.a
%C%_libcalls_a_SOURCES = \
	%D%/call_arguments.c \
	%D%/call_arguments.h \
	%D%/call_space.c \
	%D%/call_space.h \
	%D%/call_text.c \
	%D%/call_text.h \
	%D%/functions_view.c \
	%D%/functions_view.h \
	%D%/latest.c \
	%D%/latest.h
# End of %C%_libcalls_a_SOURCES
