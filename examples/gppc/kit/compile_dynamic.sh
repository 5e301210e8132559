#!/bin/bash
# Compiles the dynamic track's library, lib/libGPPCentry.so.
# shellcheck disable=SC1091,SC2154  # build_library.sh sets the variables
set -euo pipefail
cd "$(dirname "$0")"
mkdir -p index_data lib
. cairn/build_library.sh

# Only the entry's functions are visible, so that nothing else can clash with the kit's program.
$compiler "${flags[@]}" -I. -shared Entry.cpp -Wl,--exclude-libs,ALL -Wl,--no-undefined \
    "${libraries[@]}" -o lib/libGPPCentry.so
