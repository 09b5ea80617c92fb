# examples/simplify - the part of a labelled set that carries it

example_campaigns += \
	%D%/README.md \
	%D%/campaign.yaml \
	%D%/data/held_out.extxyz \
	%D%/data/make-data \
	%D%/data/whole.extxyz \
	%D%/judge.py \
	%D%/pick.py \
	%D%/potential.py \
	%D%/site.yaml \
	%D%/train.py
