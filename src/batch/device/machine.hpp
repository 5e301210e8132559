#pragma once
// A device as batches see it: memory, and queues of copies and kernels. There is one class for the
// host's processors and one for CUDA.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "batch/device/grid/hpa_form.hpp"
#include "batch/device/grid/subgoal_form.hpp"
#include "batch/device/kernel_task.hpp"
#include "batch/device/mesh/hna_form.hpp"
#include "cairn/batch/device.hpp"
#include "cairn/status.hpp"

namespace cairn::batch {

/// A queue of copies, and of kernels over one form. Operations run in the order in which they are
/// queued, and are done when wait() returns. All memory that they are given has to last until then.
template <class Form>
class Queue {
public:
    Queue() = default;
    Queue(const Queue&) = delete;
    Queue& operator=(const Queue&) = delete;
    virtual ~Queue() = default;

    /// Between the host's memory and the device's.
    virtual void copy(void* to, const void* from, std::size_t bytes) = 0;
    /// Sets the task's counter of items to 0 and answers its requests. `reserve` must have made
    /// room for its form and query.
    virtual void answer(const Form& form, const KernelTask<Form>& task) = 0;
    virtual void lay_out(const LayOutTask& task) = 0;
    /// ok; device_failed, with what the device says, if anything in the queue went wrong.
    [[nodiscard]] virtual Status wait() = 0;
    /// Makes room for the scratch of kernels over a form and up to `requests` requests. False if
    /// there is not enough memory.
    [[nodiscard]] virtual bool reserve(const Form& form, const typename Form::Query& query,
                                       std::uint32_t requests) = 0;
    /// Gives that room back. The queue must be empty.
    virtual void give_back() noexcept = 0;
};

class Machine {
public:
    explicit Machine(std::uint64_t max_bytes) noexcept : max_bytes_(max_bytes) {}
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;
    virtual ~Machine() = default;

    [[nodiscard]] virtual bool is_gpu() const noexcept = 0;
    [[nodiscard]] virtual std::string name() const = 0;
    /// A new queue.
    virtual void make(std::unique_ptr<Queue<HnaForm>>& queue) = 0;
    virtual void make(std::unique_ptr<Queue<SubgoalForm>>& queue) = 0;
    virtual void make(std::unique_ptr<Queue<HpaForm>>& queue) = 0;
    /// Memory of the host for fast copies (pinned on CUDA). Null if there is none left.
    [[nodiscard]] virtual void* take_host(std::size_t bytes) noexcept = 0;
    virtual void give_host(void* memory) noexcept = 0;

    /// Memory of the device; null if there is none left, or none is allowed.
    [[nodiscard]] void* take(std::size_t bytes) noexcept {
        if (in_use_.fetch_add(bytes) + bytes <= max_bytes_) {
            if (void* const memory = allocate(bytes); memory != nullptr) return memory;
        }
        in_use_ -= bytes;
        return nullptr;
    }
    void give(void* memory, std::size_t bytes) noexcept {
        release(memory);
        in_use_ -= bytes;
    }
    [[nodiscard]] std::uint64_t in_use() const noexcept { return in_use_; }

private:
    virtual void* allocate(std::size_t bytes) noexcept = 0;
    virtual void release(void* memory) noexcept = 0;

    std::uint64_t max_bytes_;
    std::atomic<std::uint64_t> in_use_{0};
};

[[nodiscard]] std::shared_ptr<Machine> host_machine(const DeviceOptions& options);
/// Errors: no_device.
[[nodiscard]] Result<std::shared_ptr<Machine>> cuda_machine(const DeviceOptions& options);

/// An array in a machine's memory, or in the host's for its copies.
template <class T, bool kOnHost = false>
class MachineArray {
public:
    explicit MachineArray(Machine& machine) noexcept : machine_(&machine) {}
    MachineArray(const MachineArray&) = delete;
    MachineArray& operator=(const MachineArray&) = delete;
    ~MachineArray() { clear(); }

    /// Makes room for `count` items, uninitialised. Its contents are lost if it has to grow. False,
    /// and no room at all, if there is not enough memory.
    [[nodiscard]] bool reserve(std::size_t count) noexcept {
        if (count <= room_) return true;
        clear();
        const std::size_t bytes = count * sizeof(T);
        data_ = static_cast<T*>(kOnHost ? machine_->take_host(bytes) : machine_->take(bytes));
        if (data_ != nullptr) room_ = count;
        return data_ != nullptr;
    }
    [[nodiscard]] T* data() const noexcept { return data_; }
    [[nodiscard]] std::size_t room() const noexcept { return room_; }
    [[nodiscard]] T& operator[](std::size_t i) const noexcept { return data_[i]; }
    /// Gives the memory back.
    void clear() noexcept {
        if (data_ == nullptr) return;
        if (kOnHost)
            machine_->give_host(data_);
        else
            machine_->give(data_, room_ * sizeof(T));
        data_ = nullptr;
        room_ = 0;
    }
    void swap(MachineArray& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(room_, other.room_);
    }

private:
    Machine* machine_;
    T* data_ = nullptr;
    std::size_t room_ = 0;
};

}  // namespace cairn::batch
