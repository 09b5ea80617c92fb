# examples/quick-train - a training from local files in one call

example_campaigns += \
	%D%/README.md \
	%D%/data/a/rows.csv \
	%D%/data/b/rows.csv \
	%D%/trainer/train.py
