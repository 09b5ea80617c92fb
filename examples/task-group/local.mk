# examples/task-group - a driver and LAMMPS clients that run together

task_group_campaign = \
	%D%/README.md \
	%D%/campaign.yaml \
	%D%/client.in \
	%D%/plain.in \
	%D%/site.yaml \
	%D%/start.in
# End of task_group_campaign

task_group_driver = \
	%D%/driver/lammps_data.c \
	%D%/driver/lammps_data.h \
	%D%/driver/ring_polymer.c \
	%D%/driver/ring_polymer.h \
	%D%/driver/units.h
# End of task_group_driver

example_campaigns += $(task_group_campaign)

noinst_PROGRAMS += %D%/driver/pimd
example_programs += %D%/driver/pimd
%C%_driver_pimd_SOURCES = \
	%D%/driver/ipi_server.c \
	%D%/driver/ipi_server.h \
	%D%/driver/pimd.c \
	$(task_group_driver)
%C%_driver_pimd_LDADD = -lm

if HAVE_CMOCKA
EXTRA_PROGRAMS += %D%/driver/test_driver.t
TESTS += %D%/driver/test_driver.t
%C%_driver_test_driver_t_SOURCES = \
	%D%/driver/test_driver.c \
	$(task_group_driver)
%C%_driver_test_driver_t_LDADD = $(CMOCKA_LIBS) -lm
endif
