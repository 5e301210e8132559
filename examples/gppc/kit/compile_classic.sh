#!/bin/bash
# Compiles the classic track's program `run` from the start kit's sources and the entry.
# shellcheck disable=SC1091,SC2154  # build_library.sh sets the variables
set -euo pipefail
cd "$(dirname "$0")"
mkdir -p index_data
. cairn/build_library.sh

$compiler "${flags[@]}" -I. -c Entry.cpp -o cairn/build/Entry.o
kit=()
for source in *.cpp; do
    [[ $source == Entry.cpp ]] || kit+=("$source")
done
$compiler -std=c++17 -O3 -DNDEBUG -I. "${kit[@]}" cairn/build/Entry.o "${libraries[@]}" -o run
