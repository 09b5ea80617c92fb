# examples/ase-worker - an active-learning campaign around ASE, by workers

example_campaigns += \
	%D%/README.md \
	%D%/campaign.yaml \
	%D%/data/initial.extxyz \
	%D%/data/make-data \
	%D%/data/start.extxyz \
	%D%/explore.py \
	%D%/label.py \
	%D%/potential.py \
	%D%/site.yaml \
	%D%/train.py
