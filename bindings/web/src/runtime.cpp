// What C++ needs beside Debian's libraries for WebAssembly, which are built without exceptions:
// throwing and catching, and an operator new that throws. There is one thread, and an exception has
// no type for a handler to look at: Cairn's handlers are all `catch (...)`, and all that is thrown
// says that there is not enough memory.

#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

/// A destructor. In WebAssembly it returns its object.
using Destroy = void* (*)(void*);

/// An exception, in memory that is always there.
struct Thrown {
    alignas(std::max_align_t) std::array<std::byte, 64> object;
    Destroy destroy = nullptr;
    bool used = false;
    bool again = false;  ///< thrown again by its handler
};

constexpr std::size_t kMost = 16;  // at once: one, and those of destructors that run meanwhile
std::array<Thrown, kMost> all;
std::array<Thrown*, kMost> caught;  ///< by the handlers that are running
std::size_t num_caught = 0;

Thrown& thrown_of(void* object) { return *static_cast<Thrown*>(object); }

void release(Thrown& thrown) {
    if (thrown.destroy != nullptr) thrown.destroy(&thrown.object);
    thrown.used = false;
}

[[noreturn]] void raise(Thrown& thrown) { __builtin_wasm_throw(0, &thrown.object); }

}  // namespace

// The standard library calls it where its own state is broken. The usual one brings printf along.
void std::__libcpp_verbose_abort(const char* /*format*/, ...) { std::abort(); }

// The names of the C++ ABI.
// NOLINTBEGIN(bugprone-reserved-identifier)
#pragma clang diagnostic ignored "-Wreserved-identifier"
extern "C" {

/// What libc++abi says before it ends the program, by printf.
[[noreturn]] void abort_message(const char* /*format*/, ...) { std::abort(); }

/// {fmt} calls it for hexadecimal floating-point numbers, which no message has.
int snprintf(char* /*buffer*/, std::size_t /*size*/, const char* /*format*/, ...) { return 0; }

/// The number of a decimal text, read by JavaScript.
__attribute__((import_module("env"), import_name("number"))) double cairn_web_number(
    const char* text, std::size_t length);

double strtod(const char* text, char** /*end*/) {
    return cairn_web_number(text, std::strlen(text));
}
float strtof(const char* text, char** end) { return static_cast<float>(strtod(text, end)); }
long double strtold(const char* text, char** end) { return strtod(text, end); }

void* __cxa_allocate_exception(std::size_t size) noexcept {
    for (Thrown& thrown : all) {
        if (thrown.used || size > thrown.object.size()) continue;
        thrown.used = true;
        return &thrown.object;
    }
    std::abort();
}

void __cxa_free_exception(void* object) noexcept { thrown_of(object).used = false; }

[[noreturn]] void __cxa_throw(void* object, void* /*type*/, Destroy destroy) {
    thrown_of(object).destroy = destroy;
    raise(thrown_of(object));
}

void* __cxa_begin_catch(void* object) noexcept {
    caught[num_caught++] = &thrown_of(object);
    return object;
}

void __cxa_end_catch() {
    Thrown& thrown = *caught[--num_caught];
    if (!thrown.again) release(thrown);
    thrown.again = false;
}

[[noreturn]] void __cxa_rethrow() {
    Thrown& thrown = *caught[num_caught - 1];
    thrown.again = true;
    raise(thrown);
}
}
// NOLINTEND(bugprone-reserved-identifier)

void* operator new(std::size_t size) {
    void* memory = std::malloc(size == 0 ? 1 : size);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    const auto align = static_cast<std::size_t>(alignment);
    void* memory = std::aligned_alloc(align, (size + align - 1) / align * align);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}
void* operator new[](std::size_t size) { return operator new(size); }
void* operator new[](std::size_t size, std::align_val_t alignment) {
    return operator new(size, alignment);
}
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
    return std::malloc(size == 0 ? 1 : size);
}
void* operator new[](std::size_t size, const std::nothrow_t& tag) noexcept {
    return operator new(size, tag);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t /*alignment*/) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/, std::align_val_t /*alignment*/) noexcept {
    std::free(memory);
}
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t /*size*/) noexcept { std::free(memory); }
void operator delete[](void* memory, std::align_val_t /*alignment*/) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t /*size*/,
                       std::align_val_t /*alignment*/) noexcept {
    std::free(memory);
}
