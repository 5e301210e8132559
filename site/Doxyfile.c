# The reference of the C interface. site/build.py runs Doxygen in the root of the repository.
PROJECT_NAME           = "Cairn, C"
INPUT                  = bindings/c/include/cairn.h site/c.md
USE_MDFILE_AS_MAINPAGE = site/c.md
OPTIMIZE_OUTPUT_FOR_C  = YES
FILTER_PATTERNS        = "*.h=sed -f site/headers.sed"
STRIP_FROM_PATH        = bindings/c/include
STRIP_FROM_INC_PATH    = bindings/c/include
OUTPUT_DIRECTORY       = build/site-pages/api
HTML_OUTPUT            = c
GENERATE_TAGFILE       = build/site-pages/api/c.tag
@INCLUDE               = site/Doxyfile.common
