# The machine switches itself off.
