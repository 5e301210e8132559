#ifndef CAIRN_TESTS_C_CHECKS_H
#define CAIRN_TESTS_C_CHECKS_H
// Checks of cairn.h written in C99, which tests in C++ run.

#ifdef __cplusplus
extern "C" {
#endif

/// Called with the line and text of each check that fails.
typedef void (*check_failed)(int line, const char* text);

void check_first_path(check_failed failed);
void check_grid(check_failed failed);
void check_mesh(check_failed failed);
void check_agents(check_failed failed);
void check_world(check_failed failed);
void check_discs(check_failed failed);
void check_control(check_failed failed);
int check_page_start(void);
void check_page_first_path(check_failed failed);
void check_page_many(check_failed failed);
void check_page_world(check_failed failed);
void check_page_discs(check_failed failed);

#ifdef __cplusplus
}
#else

#define CHECK(condition)                                \
    do {                                                \
        if (!(condition)) failed(__LINE__, #condition); \
    } while (0)

#endif

#endif
