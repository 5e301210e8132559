# What Doxygen reads of a public header: all parts, and the comment at its top as that of the file.
# The numbers of lines stay.
s/^#if CAIRN_HAS_.*/#if 1/
1,/^$/ {
    s|^#pragma once$|/** \\verbatim|
    s|^#define CAIRN_H$|/** \\verbatim|
    s|^// \{0,1\}||
    t
    s|^$|\\endverbatim \\file */|
}
