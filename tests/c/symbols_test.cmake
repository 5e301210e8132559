# cmake -P script: LIBRARY exports exactly the functions that LIST names, by the program NM.

execute_process(
    COMMAND ${NM} -D --defined-only ${LIBRARY}
    OUTPUT_VARIABLE lines COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL " [A-Za-z] [A-Za-z0-9_]+" found "${lines}")
list(FILTER found EXCLUDE REGEX "^ A ") # the name of the version
list(TRANSFORM found REPLACE "^ . " "")
file(STRINGS ${LIST} expected)
list(SORT found)
list(SORT expected)
if(NOT found STREQUAL expected)
    set(more ${found})
    list(REMOVE_ITEM more ${expected})
    list(REMOVE_ITEM expected ${found})
    message(FATAL_ERROR "${LIBRARY} exports, but ${LIST} does not name: ${more}\n"
                        "named, but not exported: ${expected}")
endif()
