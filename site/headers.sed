# What Doxygen reads of a public header: the comment at its top becomes that of the file, as it stands.
# The numbers of lines stay.
1,/^$/ {
    s|^#pragma once$|/// \\verbatim|
    s|^#define CAIRN_H$|/// \\verbatim|
    s|^//\( .*\)\{0,1\}$|///\1|
    s|^$|/// \\endverbatim \\file|
}
