// Endgame tables: what a position is worth, and how that follows from its successors.
//
// A value is 0 for a draw and otherwise one more than the number of plies to the end of the game,
// where the winner hurries and the loser delays. Who wins follows from it: the game ends with the
// side to move unable to, which has lost, or has won where to lose is the aim. The draws that a
// game's rules know (repetition, counts of moves) are no part of it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "movegen/movegen_table.hpp"
#include "position/move.hpp"
#include "position/position.hpp"
#include "position/rules.hpp"
#include "tablebase/field.hpp"
#include "tablebase/material.hpp"

namespace damka {

using TableValue = std::uint16_t;

inline constexpr TableValue kTableDraw = 0;
inline constexpr TableValue kTableEnd = 1;  // the side to move cannot

// The value of a position, from those of its successors.
class Judgement {
   public:
    explicit Judgement(const Rules& rules) : losing_(rules.objective == Objective::losing) {}

    // Whether the side to move loses.
    static constexpr bool lost(TableValue v, bool losing) noexcept {
        return v != kTableDraw && ((v & 1) != 0) != losing;
    }

    // A successor of this value.
    void see(TableValue v) noexcept {
        any_ = true;
        if (v == kTableDraw) {
            held_ = true;
        } else if (lost(v, losing_)) {
            soonest_ = soonest_ ? std::min(soonest_, v) : v;
        } else {
            latest_ = std::max(latest_, v);
        }
    }

    // A successor whose value is not known: no loss that counts.
    void see_unknown() noexcept { any_ = held_ = true; }

    TableValue value() const noexcept {
        if (!any_) return kTableEnd;
        if (soonest_) return static_cast<TableValue>(soonest_ + 1);
        return held_ ? kTableDraw : static_cast<TableValue>(latest_ + 1);
    }

   private:
    const bool losing_;
    bool any_ = false;
    bool held_ = false;       // a draw, or unknown
    TableValue soonest_ = 0;  // of the successors that are lost for who is to move there
    TableValue latest_ = 0;   // … won
};

// Tables that can be asked. In those of rules by which captures are compulsory, what stands for a
// position with captures means nothing.
template <class Bits>
class StoreOf {
   public:
    static constexpr int kMissing = -1;
    static constexpr int kDamaged = -2;

    virtual ~StoreOf() = default;
    // The value of a position with White to move, both sides having pieces; kMissing without a
    // table of its material, kDamaged for a damaged one.
    virtual int read(const Material& material, const PositionOf<Bits>& p) = 0;
};

// Knows the value of every position of a store's materials, following captures where it must.
template <class Bits>
class OracleOf {
   public:
    using Position = PositionOf<Bits>;
    static constexpr int kMissing = StoreOf<Bits>::kMissing;

    OracleOf(const Rules& rules, StoreOf<Bits>& store)
        : rules_(rules),
          movegen_(MoveGenTableOf<Bits>::of(rules)),
          field_(FieldOf<Bits>::of(rules)),
          store_(store) {}

    // Or kMissing, or kDamaged.
    int value(const Position& p) {
        const Side their = other(p.turn);
        if (is_over(rules_, p)) return p.kings[index(their)] ? kTableEnd : kMissing;
        if (!p.pieces(p.turn)) return kTableEnd;
        if (!p.pieces(their)) return alone(p);
        const Material material = Material::of(p);
        if (material.pieces() > kMaxTablePieces) return kMissing;
        if (!rules_.capture_is_free && movegen_.can_capture(rules_, p, p.turn)) return capturing(p);
        return quiet(material, p);
    }

    // The same for a position without captures, both sides having pieces.
    int quiet(const Material& material, const Position& p) {
        return p.turn == Side::white ? store_.read(material, p)
                                     : store_.read(material, field_.turned(p));
    }

    const MoveGenTableOf<Bits>& movegen() const { return movegen_; }
    const FieldOf<Bits>& field() const { return field_; }
    const Rules& rules() const { return rules_; }

   private:
    // Against nobody any move ends the game.
    int alone(const Position& p) {
        MoveListOf<Bits> list;
        movegen_.moves(rules_, p, list);
        return list.empty() ? kTableEnd : kTableEnd + 1;
    }

    int capturing(const Position& p) {
        MoveListOf<Bits> list;
        movegen_.captures(rules_, p, list);
        Judgement judgement(rules_);
        for (const auto& m : list) {
            const int v = value(movegen_.make(rules_, p, m));
            if (v < 0) return v;
            judgement.see(static_cast<TableValue>(v));
        }
        return judgement.value();
    }

    const Rules rules_;
    const MoveGenTableOf<Bits> movegen_;
    const FieldOf<Bits> field_;
    StoreOf<Bits>& store_;
};

}  // namespace damka
