"""A daemon as a process that a trial kills, stops and starts again, with a clock that the trial sets."""
