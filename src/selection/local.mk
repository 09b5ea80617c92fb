# selection - deviation, rules, statistics of frames, samples

noinst_LIBRARIES += %D%/libselection.a
floor_libs += %D%/libselection.a
%C%_libselection_a_SOURCES = \
	%D%/batch/farthest.c \
	%D%/batch/farthest.h \
	%D%/batch/row_distance.h \
	%D%/calibration/binomial.c \
	%D%/calibration/binomial.h \
	%D%/calibration/calibration.c \
	%D%/calibration/calibration.h \
	%D%/calibration/force_error.c \
	%D%/calibration/force_error.h \
	%D%/calibration/isotonic.c \
	%D%/dataset/closest_pairs.c \
	%D%/dataset/closest_pairs.h \
	%D%/dataset/dataset_stats.c \
	%D%/dataset/dataset_stats.h \
	%D%/dataset/force_check.c \
	%D%/dataset/force_check.h \
	%D%/dataset/frame_mark.h \
	%D%/dataset/like_frames.c \
	%D%/dataset/like_frames.h \
	%D%/dataset/virial_check.c \
	%D%/dataset/virial_check.h \
	%D%/deviations/committee.c \
	%D%/deviations/committee.h \
	%D%/deviations/committee_rules.c \
	%D%/deviations/committee_rules.h \
	%D%/deviations/deviation.c \
	%D%/deviations/deviation.h \
	%D%/deviations/likeness.c \
	%D%/deviations/likeness.h \
	%D%/deviations/rms_force.c \
	%D%/deviations/rms_force.h \
	%D%/features/feature_file.c \
	%D%/features/feature_file.h \
	%D%/features/scaling.c \
	%D%/features/scaling.h \
	%D%/sampling/choose.c \
	%D%/sampling/choose.h \
	%D%/sampling/top_k.c \
	%D%/sampling/top_k.h \
	%D%/geometry/cluster.c \
	%D%/geometry/cluster.h \
	%D%/geometry/duplicate.c \
	%D%/geometry/duplicate.h \
	%D%/geometry/fingerprint.c \
	%D%/geometry/fingerprint.h \
	%D%/geometry/geometry.c \
	%D%/geometry/geometry.h \
	%D%/rules/error_levels.c \
	%D%/rules/error_levels.h \
	%D%/rules/rule_fields.c \
	%D%/rules/rule_fields.h \
	%D%/rules/rules.c \
	%D%/rules/rules.h \
	%D%/rules/rules_batch.c \
	%D%/rules/rules_batch.h \
	%D%/rules/rules_check.c \
	%D%/rules/rules_defaults.c \
	%D%/rules/rules_defaults.h \
	%D%/rules/rules_levels.c \
	%D%/rules/rules_levels.h \
	%D%/statistics/classes.c \
	%D%/statistics/classes.h \
	%D%/statistics/convergence.c \
	%D%/statistics/convergence.h \
	%D%/statistics/histogram.c \
	%D%/statistics/histogram.h \
	%D%/statistics/step_dedup.c \
	%D%/statistics/step_dedup.h \
	%D%/statistics/frame_stats.c \
	%D%/statistics/frame_stats.h \
	%D%/statistics/adaptive_levels.c \
	%D%/statistics/adaptive_levels.h
# End of %C%_libselection_a_SOURCES
