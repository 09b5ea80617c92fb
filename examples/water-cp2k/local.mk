# examples/water-cp2k - labels of CP2K; a trainer in Python

example_campaigns += \
	%D%/README.md \
	%D%/campaign.yaml \
	%D%/data/held_out.extxyz \
	%D%/data/initial.extxyz \
	%D%/data/make-data \
	%D%/data/water.data \
	%D%/fit_pairs \
	%D%/md.in \
	%D%/pbe.inp \
	%D%/site.yaml \
	%D%/water-slow.inp \
	%D%/water.inp
