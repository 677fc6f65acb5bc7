// Values of positions in endgame tables, and their derivation from successors.
//
// A value is 0 for a draw, and otherwise one more than the plies to the end of the game with best
// play (DTW): the winner minimizes them and the loser maximizes them. Its parity gives the winner:
// the game ends when the side to move has no legal move and has lost, or won where the aim is to
// lose. Draw rules
// (repetition, counters) are not part of the values.
#pragma once

#include <algorithm>
#include <cstdint>

#include "movegen/movegen_table.hpp"
#include "position/move.hpp"
#include "position/position.hpp"
#include "position/rules.hpp"
#include "tablebase/board_masks.hpp"
#include "tablebase/material.hpp"

namespace damka {

using TableValue = std::uint16_t;

inline constexpr TableValue kTableDraw = 0;
inline constexpr TableValue kTableEnd = 1;  // the side to move has no legal move

// Computes a position's value from its successors' values.
class SuccessorValues {
   public:
    explicit SuccessorValues(const Rules& rules) : losing_(rules.objective == Objective::losing) {}

    // Whether the side to move loses.
    static constexpr bool lost(TableValue v, bool losing) noexcept {
        return v != kTableDraw && ((v & 1) != 0) != losing;
    }

    // Adds a successor's value.
    void add(TableValue v) noexcept {
        any_ = true;
        if (v == kTableDraw) {
            can_draw_ = true;
        } else if (lost(v, losing_)) {
            soonest_ = soonest_ ? std::min(soonest_, v) : v;
        } else {
            latest_ = std::max(latest_, v);
        }
    }

    // Adds a successor of unknown value, which is treated as a draw.
    void add_unknown() noexcept { any_ = can_draw_ = true; }

    TableValue value() const noexcept {
        if (!any_) return kTableEnd;
        if (soonest_) return static_cast<TableValue>(soonest_ + 1);
        return can_draw_ ? kTableDraw : static_cast<TableValue>(latest_ + 1);
    }

   private:
    const bool losing_;
    bool any_ = false;
    bool can_draw_ = false;   // has a drawn or unknown successor
    TableValue soonest_ = 0;  // of successors lost for their side to move
    TableValue latest_ = 0;   // … won
};

// A source of table values. Where captures are compulsory, the stored values of positions with
// captures are meaningless.
template <class Bits>
class StoreOf {
   public:
    static constexpr int kMissing = -1;
    static constexpr int kDamaged = -2;

    virtual ~StoreOf() = default;
    // The value of a position with White to move and pieces on both sides; kMissing without a table
    // of its material, kDamaged for a damaged one.
    virtual int read(const Material& material, const PositionOf<Bits>& p) = 0;
};

// Evaluates every position of a store's materials, following compulsory captures.
template <class Bits>
class OracleOf {
   public:
    using Position = PositionOf<Bits>;
    static constexpr int kMissing = StoreOf<Bits>::kMissing;

    OracleOf(const Rules& rules, StoreOf<Bits>& store)
        : rules_(rules),
          movegen_(MoveGenTableOf<Bits>::of(rules)),
          masks_(BoardMasksOf<Bits>::of(rules)),
          store_(store) {}

    // Returns the value, kMissing or kDamaged.
    int value(const Position& p) {
        const Side their = other(p.turn);
        if (is_over(rules_, p)) return p.kings[index(their)] ? kTableEnd : kMissing;
        if (!p.pieces(p.turn)) return kTableEnd;
        if (!p.pieces(their)) return terminal_value(p);
        const Material material = Material::of(p);
        if (material.pieces() > kMaxTablePieces) return kMissing;
        if (!rules_.capture_is_free && movegen_.can_capture(rules_, p, p.turn)) return capturing(p);
        return quiet(material, p);
    }

    // The same for a position without captures and with pieces on both sides.
    int quiet(const Material& material, const Position& p) {
        return p.turn == Side::white ? store_.read(material, p)
                                     : store_.read(material, masks_.rotated(p));
    }

    const MoveGenTableOf<Bits>& movegen() const { return movegen_; }
    const BoardMasksOf<Bits>& masks() const { return masks_; }
    const Rules& rules() const { return rules_; }

   private:
    // Without enemy pieces any move ends the game.
    int terminal_value(const Position& p) {
        MoveListOf<Bits> list;
        movegen_.moves(rules_, p, list);
        return list.empty() ? kTableEnd : kTableEnd + 1;
    }

    int capturing(const Position& p) {
        MoveListOf<Bits> list;
        movegen_.captures(rules_, p, list);
        SuccessorValues successors(rules_);
        for (const auto& m : list) {
            const int v = value(movegen_.make(rules_, p, m));
            if (v < 0) return v;
            successors.add(static_cast<TableValue>(v));
        }
        return successors.value();
    }

    const Rules rules_;
    const MoveGenTableOf<Bits> movegen_;
    const BoardMasksOf<Bits> masks_;
    StoreOf<Bits>& store_;
};

}  // namespace damka
