// Another C library's random numbers: a library that tests preload into a program.

namespace {
unsigned state = 77;
}

extern "C" {
int rand() {
    state = state * 1'103'515'245U + 12'345U;
    return static_cast<int>(state >> 1U);
}
void srand(unsigned seed) { state = ~seed; }
long random() { return rand(); }
void srandom(unsigned seed) { srand(seed); }
}
