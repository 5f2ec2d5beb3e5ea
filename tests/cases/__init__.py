"""What has gone wrong elsewhere, tried on every door that is installed and on every game; see README.md."""
