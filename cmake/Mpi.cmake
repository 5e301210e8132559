# MPI, for the program cairn-mpi alone.

set(CAIRN_MPI AUTO CACHE STRING "The program cairn-mpi: ON, OFF, or AUTO: where MPI is found")
set_property(CACHE CAIRN_MPI PROPERTY STRINGS AUTO ON OFF)

# A sanitizer would report what MPI itself does.
set(CAIRN_HAS_MPI OFF)
if(CAIRN_MPI AND CAIRN_BUILD_APP AND NOT CAIRN_SANITIZE)
    set(MPI_CXX_SKIP_MPICXX ON) # the interface of C is enough
    find_package(MPI 3.0 QUIET COMPONENTS CXX)
    if(MPI_CXX_FOUND)
        set(CAIRN_HAS_MPI ON)
    elseif(NOT CAIRN_MPI STREQUAL "AUTO")
        message(FATAL_ERROR "CAIRN_MPI is ${CAIRN_MPI}, but there is no MPI 3.0 or later: install it "
                            "(Debian: libopenmpi-dev), or leave CAIRN_MPI to AUTO or OFF")
    endif()
endif()
