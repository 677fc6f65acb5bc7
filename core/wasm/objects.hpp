// Objects owned by the caller, by handle.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "game/game_status.hpp"
#include "search/search.hpp"
#include "tablebase/set.hpp"
#include "wasm/api.hpp"

namespace damka::wasm {

enum class Kind : std::uint8_t { rules, weights, tables, stop, engine };

struct Object {
    explicit Object(Kind k) noexcept : kind(k) {}
    virtual ~Object() = default;
    Object(const Object&) = delete;
    Object& operator=(const Object&) = delete;

    const Kind kind;
};

struct RulesObject final : Object {
    static constexpr Kind kKind = Kind::rules;

    RulesObject(const Rules& rules, const DrawRules& draws, bool huffing)
        : Object(kKind), game(rules, draws, huffing) {}

    const Rules& rules() const noexcept { return game.rules(); }

    const GameRules game;
};

struct WeightsObject final : Object {
    static constexpr Kind kKind = Kind::weights;

    explicit WeightsObject(std::shared_ptr<const Weights> w, const Rules& r)
        : Object(kKind), weights(std::move(w)), layout(layout_number(r)) {}

    const std::shared_ptr<const Weights> weights;
    const std::size_t layout;  // of compatible boards
};

struct TablesObject final : Object {
    static constexpr Kind kKind = Kind::tables;

    explicit TablesObject(const Rules& rules) : Object(kKind), set(rules) {}

    TableSet set;
    std::vector<std::unique_ptr<std::vector<std::uint8_t>>> files;
};

struct StopObject final : Object {
    static constexpr Kind kKind = Kind::stop;

    StopObject() : Object(kKind) {}

    StopToken token;
};

struct EngineObject final : Object {
    static constexpr Kind kKind = Kind::engine;

    explicit EngineObject(std::size_t bytes) : Object(kKind), table(bytes) {}

    TranspositionTable table;
    std::unique_ptr<Search> search;
    std::uint64_t prepared_for = 0;  // fingerprint of the rules and weights of `search`
    std::atomic<bool> busy{false};
};

// Stores an object; returns its handle, or kNoMemory if there are too many.
std::int32_t register_object(std::shared_ptr<Object> object);

// Returns null for an invalid handle.
std::shared_ptr<Object> find(std::int32_t handle) noexcept;

// Returns null for an invalid handle, or an object of another kind.
template <class T>
std::shared_ptr<T> find(std::int32_t handle) noexcept {
    std::shared_ptr<Object> found = find(handle);
    if (!found || found->kind != T::kKind) return nullptr;
    return std::static_pointer_cast<T>(std::move(found));
}

}  // namespace damka::wasm
