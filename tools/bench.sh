#!/usr/bin/env bash
# Measures the planners over the benchmark maps: `./dev bench [ARGUMENT of cairn-lab bench...]`.
set -euo pipefail

: "${CAIRN_DATA:?set CAIRN_DATA to the folder that holds grid/, the MovingAI maps}"
sets=()
for set in bg512 dao da2 sc1 wc3maps512 cities rooms512 mazes512 random512; do
    if [[ -d "$CAIRN_DATA/grid/$set" ]]; then sets+=("$CAIRN_DATA/grid/$set"); fi
done
cairn-lab bench "${sets[@]}" --out build/bench "$@"
python3 "$(dirname "${BASH_SOURCE[0]}")/lab_tables.py" build/bench
