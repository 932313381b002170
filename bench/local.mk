# See lib/local.mk for the pattern.
