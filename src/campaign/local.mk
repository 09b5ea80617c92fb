# campaign - campaign.yaml and site.yaml, checked and compiled

noinst_LIBRARIES += %D%/libcampaign.a
floor_libs += %D%/libcampaign.a
%C%_libcampaign_a_SOURCES =
# End of %C%_libcampaign_a_SOURCES
