// Tablebase probes of the search.
#pragma once

#include <cstdint>
#include <memory>

#include "position/position.hpp"
#include "position/rules.hpp"
#include "tablebase/set.hpp"
#include "tablebase/values.hpp"

namespace damka {

// Endgame tables of one search thread; may be empty.
template <class Bits>
class EndgamesOf {
   public:
    using Position = PositionOf<Bits>;

    // Base score of a win that a draw rule may prevent, minus twice its plies. Above every
    // evaluation and below every proved win.
    static constexpr int kLikelyWin = 20000;

    // Sets the tables to probe, or none. With `probing` false they are opened but not probed. They
    // must outlive the search, and must not change during it.
    void set(const TableSet* tables, bool probing = true) {
        if ((tables ? tables->id() : 0) != id_) open(tables);
        pieces_ = probing ? most_ : 0;
    }

    // Quick test whether a table may exist.
    bool may_contain(const Position& p) const { return pieces_ && count(p.occupied()) <= pieces_; }

    // Whether the tables decide `p` at `ply` with a draw by a counter `left` plies away. Sets
    // `score`; `win` is the score of an immediate win.
    bool probe_exact(const Position& p, int ply, int left, int win, int& score) {
        const int v = value(p);
        if (v < 0 || v - 1 > left) return false;
        score = v == kTableDraw ? 0 : apply_sign(v, win - ply - (v - 1));
        return true;
    }

    // Whether the tables have `p`. A win may be too far away for the draw rules; without men, such
    // a win does not count.
    bool probe_likely_win(const Position& p, int left, int& score) {
        const int v = value(p);
        if (v < 0 || (v - 1 > left && !(p.men[0] | p.men[1]))) return false;
        score = v == kTableDraw ? 0 : apply_sign(v, kLikelyWin - 2 * (v - 1));
        return true;
    }

   private:
    void open(const TableSet* tables) {
        oracle_.reset();
        reader_.reset();
        most_ = 0;
        id_ = tables ? tables->id() : 0;
        if (!tables || !tables->pieces()) return;
        most_ = tables->pieces();
        losing_ = tables->rules().objective == Objective::losing;
        reader_ = std::make_unique<TableReaderOf<Bits>>(*tables);
        oracle_ = std::make_unique<OracleOf<Bits>>(tables->rules(), *reader_);
    }

    int apply_sign(int v, int score) const {
        return SuccessorValues::lost(static_cast<TableValue>(v), losing_) ? -score : score;
    }

    // A damaged table is not probed again.
    int value(const Position& p) {
        const int found = oracle_->value(p);
        if (found == StoreOf<Bits>::kDamaged) pieces_ = most_ = 0;
        return found;
    }

    std::unique_ptr<TableReaderOf<Bits>> reader_;
    std::unique_ptr<OracleOf<Bits>> oracle_;
    std::uint64_t id_ = 0;
    int pieces_ = 0;  // number of pieces on the board up to which probing is worthwhile
    int most_ = 0;    // largest number of pieces in any table
    bool losing_ = false;
};

}  // namespace damka
