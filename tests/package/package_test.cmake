# cmake -P script: builds and runs the project in consumer/ against Cairn. WAY is find_package
# (installs the build in BINARY_DIR first) or add_subdirectory (compiles SOURCE_DIR).

function(run)
    execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
if(WAY STREQUAL "find_package")
    run(${CMAKE_COMMAND} --install ${BINARY_DIR} --prefix ${WORK_DIR}/prefix)
    set(where -DCMAKE_PREFIX_PATH=${WORK_DIR}/prefix)
else()
    set(where -DCAIRN_SOURCE_DIR=${SOURCE_DIR} -DBUILD_SHARED_LIBS=${SHARED})
endif()
run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${CMAKE_CURRENT_LIST_DIR}/consumer -B ${WORK_DIR}/build
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER} ${where})
run(${CMAKE_COMMAND} --build ${WORK_DIR}/build --target consumer -j 2)
run(${WORK_DIR}/build/consumer)
