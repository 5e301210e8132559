# cmake -P script: compiles every header in the folder INCLUDE alone with COMPILER, FLAGS and the
# include path FOLDERS. Headers of parts that are in KNOWN but not in BUILT are left out.

set(not_built ${KNOWN})
list(REMOVE_ITEM not_built ${BUILT})
list(TRANSFORM FOLDERS PREPEND -I)
separate_arguments(flags UNIX_COMMAND "${FLAGS}")
file(GLOB_RECURSE headers RELATIVE ${INCLUDE} ${INCLUDE}/cairn/*.hpp)
foreach(part IN LISTS not_built)
    list(FILTER headers EXCLUDE REGEX "^cairn/${part}/")
endforeach()
set(bad "")
foreach(header IN LISTS headers)
    execute_process(
        COMMAND ${COMPILER} ${flags} -std=c++20 -Wall -Wextra -fsyntax-only ${FOLDERS} -include
                ${header} -x c++ /dev/null
        RESULT_VARIABLE failed)
    if(failed)
        list(APPEND bad ${header})
    endif()
endforeach()
if(bad)
    message(FATAL_ERROR "these headers do not compile alone: ${bad}")
endif()
