"""How fast Parlour is, measured beside a bare spike and a bare echo in the same run."""
