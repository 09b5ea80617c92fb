# examples/job-function - a training and a prediction that are called

job_function_campaign = \
	%D%/README.md \
	%D%/campaign.yaml \
	%D%/mlp/fit.py \
	%D%/mlp/make_data.py \
	%D%/mlp/net.py \
	%D%/mlp/score.py \
	%D%/start/weights
# End of job_function_campaign

example_campaigns += $(job_function_campaign)
