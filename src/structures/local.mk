# structures - frames that are constructed: supercells, surfaces, strains, defects

noinst_LIBRARIES += %D%/libstructures.a
floor_libs += %D%/libstructures.a
%C%_libstructures_a_SOURCES = \
	%D%/construction.c \
	%D%/construction.h \
	%D%/construction_elements.c \
	%D%/defects.c \
	%D%/defects.h \
	%D%/deform.c \
	%D%/deform.h \
	%D%/supercell.c \
	%D%/supercell.h \
	%D%/surface.c \
	%D%/surface.h \
	%D%/variants.c \
	%D%/variants.h
# End of %C%_libstructures_a_SOURCES
