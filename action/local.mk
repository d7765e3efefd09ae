# For pull requests and commits; nothing of it is built or installed.

EXTRA_DIST += action.yml .pre-commit-hooks.yaml action/README.md action/cuda_lines.py action/install.sh action/review.sh
