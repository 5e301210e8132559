# WebAssembly by Debian's clang-19 and wasi-libc, for the package in bindings/web:
#
#   cmake -S . -B build/web -G Ninja --toolchain cmake/wasi.toolchain.cmake
#
# The libraries that Cairn needs are used by their headers alone (cmake/wasi).

set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
set(CMAKE_AR llvm-ar)
set(CMAKE_RANLIB llvm-ranlib)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_CXX_FLAGS_INIT "-msimd128 -mbulk-memory -fwasm-exceptions -fno-rtti")
set(CMAKE_EXECUTABLE_SUFFIX_CXX .wasm)

set(CMAKE_FIND_PACKAGE_PREFER_CONFIG ON)
foreach(package IN ITEMS fmt tl-expected xxHash FlatBuffers)
    set(${package}_DIR ${CMAKE_CURRENT_LIST_DIR}/wasi)
endforeach()
