# Kernels for GPUs, the only sources that nvcc compiles. Cairn does not need a GPU.

set(CAIRN_CUDA AUTO CACHE STRING "Kernels for GPUs: ON, OFF, or AUTO: where nvcc is found")
set_property(CACHE CAIRN_CUDA PROPERTY STRINGS AUTO ON OFF)
# Machine code for 7.5, 8.0 and 9.0, and PTX for 7.5. The code for 8.0 also runs on 8.6 and 8.9. From
# PTX the driver compiles for any other GPU from 7.5 on when it first loads the kernels.
set(CAIRN_CUDA_ARCHITECTURES "75;80-real;90-real"
    CACHE STRING "GPUs to compile for, as CMake names them")

set(CAIRN_HAS_CUDA OFF)
if(CAIRN_CUDA AND CAIRN_HAS_DEVICE AND NOT CAIRN_SANITIZE)
    find_package(CUDAToolkit 12 QUIET)
    if(CUDAToolkit_FOUND AND CUDAToolkit_NVCC_EXECUTABLE)
        set(CAIRN_HAS_CUDA ON)
    elseif(NOT CAIRN_CUDA STREQUAL "AUTO")
        message(FATAL_ERROR "CAIRN_CUDA is ${CAIRN_CUDA}, but there is no CUDA 12 or later: put "
                            "its nvcc into the path, or leave CAIRN_CUDA to AUTO or OFF")
    endif()
endif()
if(CAIRN_HAS_CUDA)
    set(CMAKE_CUDA_COMPILER ${CUDAToolkit_NVCC_EXECUTABLE})
    set(CMAKE_CUDA_ARCHITECTURES ${CAIRN_CUDA_ARCHITECTURES})
    enable_language(CUDA)
    # CMake 3.25 does not know how CUDA 13 spells C++20.
    foreach(kind STANDARD EXTENSION)
        if(NOT CMAKE_CUDA20_${kind}_COMPILE_OPTION)
            set(CMAKE_CUDA20_${kind}_COMPILE_OPTION -std=c++20)
        endif()
    endforeach()
endif()

# cairn_add_kernels(<part> <source>...): adds kernels to a part, if there is an nvcc.
function(cairn_add_kernels part)
    if(NOT CAIRN_HAS_CUDA)
        return()
    endif()
    set(kernels cairn_${part}_kernels)
    add_library(${kernels} OBJECT ${ARGN})
    target_include_directories(${kernels} PRIVATE ${PROJECT_SOURCE_DIR}/include
                                                  ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(${kernels} PRIVATE tl::expected)
    # Contracted floating-point operations would make answers differ from the host's.
    target_compile_options(${kernels} PRIVATE --expt-relaxed-constexpr --fmad=false)
    if(CAIRN_DEVELOPER)
        target_compile_options(${kernels} PRIVATE -Werror=all-warnings
                                                  -Xcompiler=-Wall,-Wextra,-Wshadow)
    endif()
    set_target_properties(${kernels} PROPERTIES CUDA_STANDARD 20 POSITION_INDEPENDENT_CODE ON)
    target_sources(cairn_${part} PRIVATE $<TARGET_OBJECTS:${kernels}>)
    target_compile_definitions(cairn_${part} PRIVATE CAIRN_CUDA)
    target_link_libraries(cairn_${part} PRIVATE CUDA::cudart_static)
endfunction()
