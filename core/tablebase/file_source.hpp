// A table file on disk, for concurrent reads at any offset.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <span>

#include "tablebase/source.hpp"

#if defined(_WIN32)
#include <io.h>
#if !defined(NOMINMAX)
#define NOMINMAX
#endif
#include <windows.h>

#include <filesystem>
#else
#include <unistd.h>
#endif

namespace damka {

class FileSource final : public TableSource {
   public:
    // Returns null on failure, with the reason in errno. On Windows the path is UTF-8.
    static std::unique_ptr<const TableSource> open(const char* path) {
        const int descriptor = open_descriptor(path);
        if (descriptor < 0) return nullptr;
        Status about{};
        if (status(descriptor, &about) != 0) {
            const int reason = errno;
            close(descriptor);
            errno = reason;
            return nullptr;
        }
        return std::unique_ptr<const TableSource>(
            new FileSource(descriptor, static_cast<std::uint64_t>(about.st_size)));
    }

    ~FileSource() override { close(descriptor_); }

    std::uint64_t size() const noexcept override { return size_; }

    bool read(std::uint64_t offset, std::span<std::uint8_t> out) const noexcept override {
        while (!out.empty()) {
            const std::int64_t n = read_at(descriptor_, offset, out);
            if (n < 0 && errno == EINTR) continue;
            if (n <= 0) return false;
            out = out.subspan(static_cast<std::size_t>(n));
            offset += static_cast<std::uint64_t>(n);
        }
        return true;
    }

   private:
    FileSource(int descriptor, std::uint64_t size) noexcept
        : descriptor_(descriptor), size_(size) {}

#if defined(_WIN32)
    using Status = struct _stat64;

    static int open_descriptor(const char* path) {
        const std::filesystem::path wide(reinterpret_cast<const char8_t*>(path));
        return ::_wopen(wide.c_str(), _O_RDONLY | _O_BINARY | _O_NOINHERIT);
    }

    static int status(int descriptor, Status* about) { return ::_fstat64(descriptor, about); }

    static void close(int descriptor) { ::_close(descriptor); }

    // Positional reads do not use the descriptor's offset, so threads do not interfere.
    static std::int64_t read_at(int descriptor, std::uint64_t offset,
                                std::span<std::uint8_t> out) noexcept {
        constexpr std::size_t kMax = std::size_t{1} << 30;
        OVERLAPPED place{};
        place.Offset = static_cast<DWORD>(offset & 0xffffffff);
        place.OffsetHigh = static_cast<DWORD>(offset >> 32);
        const auto file = reinterpret_cast<HANDLE>(::_get_osfhandle(descriptor));
        DWORD n = 0;
        errno = 0;
        if (!::ReadFile(file, out.data(), static_cast<DWORD>(std::min(out.size(), kMax)), &n,
                        &place)) {
            return -1;
        }
        return n;
    }
#else
    using Status = struct stat;

    static int open_descriptor(const char* path) { return ::open(path, O_RDONLY | O_CLOEXEC); }

    static int status(int descriptor, Status* about) { return ::fstat(descriptor, about); }

    static void close(int descriptor) { ::close(descriptor); }

    static std::int64_t read_at(int descriptor, std::uint64_t offset,
                                std::span<std::uint8_t> out) noexcept {
        return ::pread(descriptor, out.data(), out.size(), static_cast<::off_t>(offset));
    }
#endif

    const int descriptor_;
    const std::uint64_t size_;
};

}  // namespace damka
