#!/usr/bin/env bash
# Installs Debian's Chromium as a headless shell, or whole where there is none, with its driver, and lynx, if we may.
set -eu
test "$(id -u)" = 0
export DEBIAN_FRONTEND=noninteractive
install() { apt-get install -qq -y "$@" chromium-driver lynx >/dev/null 2>&1; }
install chromium-headless-shell || { apt-get update -qq && install chromium-headless-shell; } || install chromium
