# structures - frames that are constructed: supercells, surfaces, strains, defects;
# and what follows from their energies

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
	%D%/elastic.c \
	%D%/elastic.h \
	%D%/equation_of_state.c \
	%D%/equation_of_state.h \
	%D%/properties.c \
	%D%/properties.h \
	%D%/supercell.c \
	%D%/supercell.h \
	%D%/surface.c \
	%D%/surface.h \
	%D%/variants.c \
	%D%/variants.h
# End of %C%_libstructures_a_SOURCES
