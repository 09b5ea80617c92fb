# placement - node shapes, slots, binding

noinst_LIBRARIES += %D%/libplacement.a
floor_libs += %D%/libplacement.a
%C%_libplacement_a_SOURCES = \
	%D%/slots.c \
	%D%/slots.h
# End of %C%_libplacement_a_SOURCES
