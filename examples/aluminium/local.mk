# examples/aluminium - from a POSCAR to a table of properties

example_campaigns += \
	%D%/README.md \
	%D%/al.vasp \
	%D%/al32.vasp \
	%D%/campaign.yaml \
	%D%/emt.yaml \
	%D%/label.py \
	%D%/md.in \
	%D%/site.yaml \
	%D%/train.py
