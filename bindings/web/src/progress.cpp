// Progress of long calls, as a call of JavaScript: WebAssembly.Memory has no functions of it.

#include "cairn.h"

extern "C" {

/// Imported: JavaScript's function for the call that runs. A result other than 0 stops it.
__attribute__((import_module("env"), import_name("progress"))) int cairn_web_progress(
    double fraction);

/// Makes a control call it.
__attribute__((export_name("cairn_web_control"))) void cairn_web_control(cairn_control* control) {
    *control = CAIRN_INIT(cairn_control);
    control->progress = [](void*, double fraction) { return cairn_web_progress(fraction); };
}
}
