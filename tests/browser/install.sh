#!/usr/bin/env bash
# Installs Debian's Chromium and its driver, and lynx, if we may.
set -eu
test "$(id -u)" = 0
export DEBIAN_FRONTEND=noninteractive
apt-get install -qq -y chromium chromium-driver lynx >/dev/null 2>&1 \
    || { apt-get update -qq && apt-get install -qq -y chromium chromium-driver lynx >/dev/null; }
