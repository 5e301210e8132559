# shellcheck shell=bash disable=SC2034
# Read by compile.sh in the folder of a submission. Compiles cairn/libcairn.a, and sets $compiler,
# the array $flags of what uses it, and the array $libraries to link. It needs neither CMake nor
# anything outside this folder but the packages of apt.txt.

compiler=${CXX:-g++-12}
flags=(-std=c++20 -O3 -DNDEBUG -fPIC -Icairn/entry -Icairn/include)
libraries=(cairn/libcairn.a -lfmt -ltbb -lxxhash -lpthread)

mkdir -p cairn/build
flatc --cpp --cpp-std c++17 --scoped-enums -o cairn/build cairn/src/index_file/index_meta.fbs

# One source for each part: fewer, larger ones compile sooner.
compile_part() {
    local name=$1 source
    shift
    for source in "$@"; do echo "#include \"${source#cairn/}\""; done >"cairn/build/$name.cpp"
    # $compiler may be two words: a cache and a compiler
    $compiler "${flags[@]}" -DCAIRN_HAS_TBB -ffp-contract=off -Wno-subobject-linkage -Icairn \
        -Icairn/src -Icairn/build -c "cairn/build/$name.cpp" -o "cairn/build/$name.o"
}
compile_part core cairn/src/core/*.cpp cairn/src/core/*/*.cpp cairn/src/overlay/*.cpp
compile_part grid cairn/src/grid/*.cpp
compile_part subgoal cairn/src/subgoal/*.cpp
compile_part index_file cairn/src/index_file/*.cpp
compile_part entry cairn/entry/*.cpp
rm -f cairn/libcairn.a
ar rcs cairn/libcairn.a cairn/build/*.o
