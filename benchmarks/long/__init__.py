"""The long run: every figure at full size, step by step, resumable, told in `docs/evidence`."""
