#include "wasm/objects.hpp"

#include <map>

#include "memory/threads.hpp"

#if DAMKA_HAS_THREADS
#include <mutex>
#endif

namespace damka::wasm {

namespace {

constexpr std::size_t kMaxObjects = 1 << 16;

class Objects {
   public:
    std::int32_t add(std::shared_ptr<Object> object) {
        const Lock lock(*this);
        if (objects_.size() >= kMaxObjects || last_ == INT32_MAX) return kNoMemory;
        objects_.emplace(++last_, std::move(object));
        return last_;
    }

    std::shared_ptr<Object> find(std::int32_t handle) {
        const Lock lock(*this);
        const auto found = objects_.find(handle);
        return found == objects_.end() ? nullptr : found->second;
    }

    // The object is destroyed after the lock is released.
    std::shared_ptr<Object> remove(std::int32_t handle) {
        const Lock lock(*this);
        const auto found = objects_.find(handle);
        if (found == objects_.end()) return nullptr;
        std::shared_ptr<Object> object = std::move(found->second);
        objects_.erase(found);
        return object;
    }

   private:
#if DAMKA_HAS_THREADS
    struct Lock {
        explicit Lock(Objects& all) : lock(all.mutex_) {}
        std::lock_guard<std::mutex> lock;
    };
    std::mutex mutex_;
#else
    struct Lock {
        explicit Lock(Objects&) {}
    };
#endif

    std::map<std::int32_t, std::shared_ptr<Object>> objects_;
    std::int32_t last_ = 0;
};

Objects& objects() {
    static auto* const all = new Objects;  // never destroyed: threads may outlive static objects
    return *all;
}

}  // namespace

std::int32_t register_object(std::shared_ptr<Object> object) {
    return objects().add(std::move(object));
}

std::shared_ptr<Object> find(std::int32_t handle) noexcept { return objects().find(handle); }

// Frees a handle; calls in progress still hold the object.
DAMKA_API(damka_free) std::int32_t damka_free(std::int32_t handle) {
    return objects().remove(handle) ? kOk : kNoHandle;
}

}  // namespace damka::wasm
