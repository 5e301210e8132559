# CPack reads this when the files of each Debian package lie in a folder of their own, and makes them
# what Debian's policy asks for: copyright and changelogs, compressed manual pages, stripped libraries
# that search the system's folders alone, and completions where Debian's zsh looks.

if(NOT CPACK_GENERATOR STREQUAL "DEB")
    return()
endif()

set(CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS ${CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS})

function(run)
    execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(texts ${CPACK_TEMPORARY_DIRECTORY}/../texts)
file(STRINGS ${CPACK_RESOURCE_FILE_LICENSE} holders REGEX "^Copyright")
string(REPLACE "Copyright (c) " "" holders "${holders}")
file(READ ${CPACK_RESOURCE_FILE_LICENSE} license)
string(REGEX REPLACE "^.*\n\n(Permission)" "\\1" license "${license}")
string(STRIP "${license}" license)
string(REPLACE "\n\n" "\n.\n" license "${license}")
string(REPLACE "\n" "\n " license "${license}")
file(WRITE ${texts}/copyright
     "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: Cairn

Files: *
Copyright: ${holders}
License: Expat

License: Expat
 ${license}
")

# The changelog has the date of the last version.
file(READ ${CPACK_CAIRN_CHANGELOG} changelog)
string(REGEX MATCH "\n## \\[[0-9.]+\\] - ([0-9-]+)" dated "${changelog}")
execute_process(COMMAND env LC_ALL=C date -u -R -d ${CMAKE_MATCH_1} OUTPUT_VARIABLE date
                OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
file(WRITE ${texts}/changelog "${changelog}")
file(WRITE ${texts}/changelog.Debian
     "cairn (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * Made by cpack of the sources; changelog.gz has their changes.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
run(gzip -9nf ${texts}/changelog ${texts}/changelog.Debian)

foreach(component IN LISTS CPACK_COMPONENTS_ALL)
    string(TOUPPER ${component} upper)
    set(root ${CPACK_TEMPORARY_DIRECTORY}/${component}${CPACK_PACKAGING_INSTALL_PREFIX})
    file(COPY ${texts}/copyright ${texts}/changelog.gz ${texts}/changelog.Debian.gz
         DESTINATION ${root}/share/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
    file(GLOB pages ${root}/share/man/man*/*)
    if(pages)
        run(gzip -9n ${pages})
    endif()
    if(EXISTS ${root}/share/zsh/site-functions)
        file(RENAME ${root}/share/zsh/site-functions ${root}/share/zsh/vendor-completions)
    endif()
    file(GLOB_RECURSE archives ${root}/lib/*.a)
    if(archives)
        run(${CPACK_CAIRN_STRIP} --strip-debug --remove-section=.comment
            --enable-deterministic-archives ${archives})
    endif()
    file(GLOB_RECURSE binaries ${root}/lib/*.so* ${root}/bin/*)
    foreach(binary IN LISTS binaries)
        if(NOT IS_SYMLINK ${binary})
            file(RPATH_REMOVE FILE ${binary})
            run(${CPACK_CAIRN_STRIP} --strip-unneeded --remove-section=.comment ${binary})
        endif()
    endforeach()
endforeach()
