# examples/pipeline - a campaign that goes on without anybody

example_campaigns += \
	%D%/README.md \
	%D%/crontab \
	%D%/pipeline.pbs \
	%D%/pipeline.sbatch \
	%D%/site.yaml
