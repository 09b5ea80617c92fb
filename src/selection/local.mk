# selection - deviation, classes, quotas, draws

noinst_LIBRARIES += %D%/libselection.a
floor_libs += %D%/libselection.a
%C%_libselection_a_SOURCES = \
	%D%/choose.c \
	%D%/choose.h \
	%D%/classes.c \
	%D%/classes.h \
	%D%/cluster.c \
	%D%/cluster.h \
	%D%/convergence.c \
	%D%/convergence.h \
	%D%/covalent_radius.c \
	%D%/committee.c \
	%D%/committee.h \
	%D%/committee_member.c \
	%D%/committee_member.h \
	%D%/committee_pieces.c \
	%D%/committee_rules.c \
	%D%/committee_rules.h \
	%D%/committee_survey.c \
	%D%/committee_survey.h \
	%D%/deviation.c \
	%D%/deviation.h \
	%D%/deviation_pack.h \
	%D%/deviation_survey.c \
	%D%/deviation_survey.h \
	%D%/draw.c \
	%D%/draw.h \
	%D%/duplicate.c \
	%D%/duplicate.h \
	%D%/fingerprint.c \
	%D%/fingerprint.h \
	%D%/geometry.c \
	%D%/geometry.h \
	%D%/once.c \
	%D%/once.h \
	%D%/row_deviation.c \
	%D%/rms_force.c \
	%D%/rms_force.h \
	%D%/rules.c \
	%D%/rules.h \
	%D%/rules_check.c \
	%D%/rules_iterations.c \
	%D%/rules_levels.c \
	%D%/rules_levels.h \
	%D%/rules_quota.c \
	%D%/rules_values.c \
	%D%/rules_values.h \
	%D%/safe_radius.c \
	%D%/survey.c \
	%D%/survey.h \
	%D%/survey_candidates.c \
	%D%/survey_candidates.h \
	%D%/survey_tops.c \
	%D%/survey_tops.h \
	%D%/tally.c \
	%D%/tally.h
# End of %C%_libselection_a_SOURCES
