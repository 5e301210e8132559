#!/bin/bash
# usage: make_submission.sh classic|dynamic FOLDER
#
# Writes an entry to the Grid-based Path Planning Competition into FOLDER, a clone of the start kit
# of that track: Entry.cpp, compile.sh, apt.txt, and the folder cairn with the sources that
# compile.sh needs. Other files of the kit stay as they are. See docs/gppc.md.
set -euo pipefail

track=${1:-}
folder=${2:-}
case $track in
    classic) entry=entry.cpp ;;
    dynamic) entry=dynamic_entry.cpp ;;
    *) sed -n '2s/^# //p' "$0" >&2; exit 2 ;;
esac
if [[ -z $folder ]]; then sed -n '2s/^# //p' "$0" >&2; exit 2; fi

kit=$(cd "$(dirname "$0")" && pwd)
gppc=$(dirname "$kit")
root=$(cd "$gppc/../.." && pwd)
mkdir -p "$folder"
out=$folder/cairn
rm -rf "$out"
mkdir -p "$out/entry"

cp "$gppc/$entry" "$folder/Entry.cpp"
cp "$kit/compile_$track.sh" "$folder/compile.sh"
cp "$kit/apt.txt" "$folder/apt.txt"
cp "$kit/build_library.sh" "$root/LICENSE" "$out/"
cp "$gppc"/planner.{hpp,cpp} "$gppc"/completer.{hpp,cpp} "$gppc/edits.hpp" "$out/entry/"
cp -r "$root/include" "$out/include"
mkdir -p "$out/src"
cp -r "$root"/src/{core,overlay,grid,subgoal,index_file} "$out/src/"
rm -f "$out"/src/index_file/{hpa,haa,hna}_*

# The headers that CMake makes say which parts there are.
configured=$(mktemp -d)
trap 'rm -rf "$configured"' EXIT
cmake -S "$root" -B "$configured" -DCAIRN_PARTS="subgoal;index_file" -DCAIRN_CUDA=OFF \
    -DCAIRN_BUILD_APP=OFF -DCAIRN_BUILD_TESTS=OFF -DCAIRN_BUILD_EXAMPLES=OFF \
    -DCAIRN_BUILD_BENCH=OFF -DCAIRN_BUILD_FUZZ=OFF -DCAIRN_INSTALL=OFF >"$configured/log" ||
    { cat "$configured/log" >&2; exit 1; }
cp "$configured"/include/cairn/*.{h,hpp} "$out/include/cairn/"
