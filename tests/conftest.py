"""Tests read rule files anew: a cache of checked programs would hide what a change to the checks does."""

import os

os.environ["RULESDSL_CACHE"] = ""
