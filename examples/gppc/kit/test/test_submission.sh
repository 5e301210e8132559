#!/bin/bash
# usage: test_submission.sh classic|dynamic FOLDER MAP HARNESS
#
# Makes a submission in FOLDER, compiles it with its own compile.sh, and lets it solve MAP.scen.
# Entry.h and main.cpp, which the start kits have, are our own. HARNESS loads the dynamic library.
set -euo pipefail
track=$1 folder=$2 map=$3 harness=$4
here=$(cd "$(dirname "$0")" && pwd)

mkdir -p "$folder"
rm -rf "$folder/index_data"
"$here/../make_submission.sh" "$track" "$folder"
if [[ $track == classic ]]; then
    cp "$here/Entry.h" "$here/main.cpp" "$folder/"
else
    cp "$here/../../dynamic_entry.hpp" "$folder/Entry.h"
fi
cd "$folder"
./compile.sh
if [[ $track == classic ]]; then
    ./run "$map" "$map.scen"
else
    GPPC_LIBRARY=$folder/lib/libGPPCentry.so "$harness" -dynamic "$map" "$map.scen"
fi
