# examples/deepmd-vasp - Deep Potentials of an alloy, labelled by VASP, on Slurm

example_campaigns += \
	%D%/INCAR \
	%D%/INCAR.slow \
	%D%/README.md \
	%D%/campaign.yaml \
	%D%/data/al.vasp \
	%D%/data/al3mg.vasp \
	%D%/data/make-start \
	%D%/data/mg.vasp \
	%D%/data/start.extxyz \
	%D%/input.json \
	%D%/md.in \
	%D%/site.yaml
