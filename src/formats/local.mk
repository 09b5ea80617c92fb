# formats - one file per file format

noinst_LIBRARIES += %D%/libformats.a
floor_libs += %D%/libformats.a
%C%_libformats_a_SOURCES = \
	%D%/cp2k/cp2k_abort.c \
	%D%/cp2k/cp2k_abort.h \
	%D%/cp2k/cp2k_out.c \
	%D%/cp2k/cp2k_out.h \
	%D%/dataset_reader.c \
	%D%/dataset_reader.h \
	%D%/dataset_writer.c \
	%D%/dataset_writer.h \
	%D%/deepmd/deepmd_dataset.c \
	%D%/deepmd/deepmd_dataset.h \
	%D%/deepmd/deepmd_frames.c \
	%D%/deepmd/deepmd_frames.h \
	%D%/deviations/deviation_file.c \
	%D%/deviations/deviation_file.h \
	%D%/deviations/deviation_header.c \
	%D%/deviations/deviation_header.h \
	%D%/deviations/row_shape.c \
	%D%/deviations/row_shape.h \
	%D%/deepmd/deepmd_types.c \
	%D%/deepmd/deepmd_types.h \
	%D%/element.c \
	%D%/element.h \
	%D%/extxyz/extxyz.c \
	%D%/extxyz/extxyz.h \
	%D%/extxyz/extxyz_header.c \
	%D%/extxyz/extxyz_header.h \
	%D%/extxyz/vector_extxyz.c \
	%D%/frame.c \
	%D%/frame.h \
	%D%/lammps/dump_frame.c \
	%D%/lammps/dump_frame.h \
	%D%/lammps/dump_rows.c \
	%D%/lammps/dump_rows.h \
	%D%/lammps/lammps_binary.c \
	%D%/lammps/lammps_binary.h \
	%D%/lammps/lammps_binary_head.c \
	%D%/lammps/lammps_data.c \
	%D%/lammps/lammps_data.h \
	%D%/lammps/lammps_dump.c \
	%D%/lammps/row_order.c \
	%D%/lammps/row_order.h \
	%D%/lines.c \
	%D%/lines.h \
	%D%/npy/npy.c \
	%D%/npy/npy.h \
	%D%/npy/npy_rows.c \
	%D%/npy/npy_rows.h \
	%D%/npy/vector_npy.c \
	%D%/number.c \
	%D%/number.h \
	%D%/packed/packed_file.c \
	%D%/packed/packed_file.h \
	%D%/qe/qe_xml.c \
	%D%/qe/qe_xml.h \
	%D%/vasp/outcar.c \
	%D%/vasp/outcar.h \
	%D%/vasp/poscar.c \
	%D%/vasp/poscar.h \
	%D%/vasp/potcar.c \
	%D%/vasp/potcar.h \
	%D%/vasp/vasprun.c \
	%D%/vasp/vasprun.h \
	%D%/vector_reader.c \
	%D%/vector_reader.h \
	%D%/vector_source.h
# End of %C%_libformats_a_SOURCES
