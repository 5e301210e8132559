#!/usr/bin/env bash
# Shows what Cairn can do with the maps in maps/: usage: demo.sh [FOLDER]. Pictures and index files
# go into FOLDER (default: build/demo). Needs the program `cairn` in the path; ./dev demo builds it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

out="${1:-build/demo}"
case "$out" in
    -*)
        echo "usage: ./dev demo [FOLDER]" >&2
        exit 2
        ;;
esac
if ! command -v cairn >/dev/null; then
    echo "demo: no program 'cairn' in the path; run ./dev demo" >&2
    exit 1
fi
mkdir -p "$out"

bold='' dim='' plain=''
if [[ -t 1 ]]; then bold=$'\e[1m' dim=$'\e[2m' plain=$'\e[0m'; fi

title() { printf '\n%s== %s%s\n\n' "$bold" "$*" "$plain"; }
# Shows a command and runs it.
run() {
    printf '%s$ %s%s\n' "$dim" "$*" "$plain"
    "$@"
}
# endpoints MAP: start and goal of the longest problem in the map's scenario.
endpoints() { tail -n 1 "$1.scen" | awk '{ print $5 "," $6, $7 "," $8 }'; }

title "One query, nothing prepared: the worked example of the HPA* paper's Figure 1"
run cairn path maps/worked-example.map 1,1 27,27 --draw

title "A new map of 1024 x 1024 cells, and its index"
run cairn generate rooms "$out/rooms.map" --width 1024 --height 1024 --size 16 --seed 7
run cairn build "$out/rooms.map" "$out/rooms.cairn"

title "The longest of twenty random problems: the index, loaded from its file, against A*"
run cairn generate scenario "$out/rooms.map.scen" --map "$out/rooms.map" --count 20
read -r from to <<<"$(endpoints "$out/rooms.map")"
run cairn path "$out/rooms.map" "$from" "$to" --index "$out/rooms.cairn" --compare |
    sed '/^turns/,$d'

title "A wall goes up: only the clusters that it touches are rebuilt"
run cairn path maps/worked-example.map 1,1 27,27 --planner hpa --edit 21,22,18,1,@ --draw

title "Agents of two kinds on one map: a scout walks through trees, a wagon of 3 x 3 cells does not"
run cairn build maps/forest.map "$out/forest.cairn" --planner haa --max-size 3 \
    --capabilities ground,ground+trees
for agent in 1:ground+trees 3:ground; do
    run cairn path maps/forest.map 47,27 81,57 --index "$out/forest.cairn" --agent "$agent" |
        sed '/^turns/,$d'
done

title "Shortest paths by subgoal graphs, against A*"
run cairn path "$out/rooms.map" "$from" "$to" --planner subgoal --compare | sed '/^turns/,$d'

title "A map as a navigation mesh of rectangles: the same subcommands"
run cairn build maps/caves.map "$out/caves.crhn"
run cairn path "$out/caves.crhn" '#0' '#1500' --compare | sed '/^waypoints/,$d'

if command -v example_detour_find_path >/dev/null; then
    title "Detour's mesh, and Cairn in Detour's place: the same call, the same arguments"
    run example_detour_find_path
fi

title "A crowd on a map for three seconds, while cells are blocked and freed"
run cairn crowd maps/rooms.map --agents 2000 --seconds 3

title "Pictures"
run cairn render maps/worked-example.map "$out/worked-example.png" --what figure \
    --from 1,1 --to 27,27 --levels 2 --cluster-size 10
run cairn render maps/worked-example.map "$out/worked-example.svg" --what figure \
    --from 1,1 --to 27,27 --levels 2 --cluster-size 10
for map in maps/*.map; do
    name="$(basename "$map" .map)"
    if [[ "$name" == worked-example ]]; then continue; fi
    read -r from to <<<"$(endpoints "$map")"
    run cairn render "$map" "$out/$name.png" --from "$from" --to "$to" --levels 2
done
read -r from to <<<"$(endpoints maps/caves.map)"
run cairn render maps/caves.map "$out/caves.svg" --from "$from" --to "$to" --levels 2

title "Done"
echo "Look at the pictures in $(cd "$out" && pwd):"
ls "$out" | grep -E '\.(png|svg)$' | sed 's/^/  /'
echo
echo "Try it on a map of your own: cairn path MAP X,Y X,Y   (MovingAI .map, .png, .pgm, Nav2 .yaml)"
