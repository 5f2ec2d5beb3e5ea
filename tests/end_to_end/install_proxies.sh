#!/usr/bin/env bash
# Installs Debian's nginx and HAProxy, for whose samples there are tests, if we may; they are not to serve anybody here.
set -eu
test "$(id -u)" = 0
export DEBIAN_FRONTEND=noninteractive
printf '#!/bin/sh\nexit 101\n' > /tmp/policy-rc.d.$$ && chmod +x /tmp/policy-rc.d.$$
kept=/usr/sbin/policy-rc.d
test -e "$kept" && rm /tmp/policy-rc.d.$$ || { mv /tmp/policy-rc.d.$$ "$kept" && trap 'rm -f "$kept"' EXIT; }
apt-get install -qq -y nginx-light haproxy >/dev/null 2>&1 \
    || { apt-get update -qq && apt-get install -qq -y nginx-light haproxy >/dev/null; }
