# selection - deviation, classes, quotas, draws

noinst_LIBRARIES += %D%/libselection.a
floor_libs += %D%/libselection.a
%C%_libselection_a_SOURCES = \
	%D%/classes.c \
	%D%/classes.h \
	%D%/deviation.c \
	%D%/deviation.h \
	%D%/draw.c \
	%D%/draw.h \
	%D%/tally.c \
	%D%/tally.h
# End of %C%_libselection_a_SOURCES
