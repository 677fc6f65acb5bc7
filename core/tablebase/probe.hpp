// Endgame tables as the search asks them.
#pragma once

#include <cstdint>
#include <memory>

#include "position/position.hpp"
#include "position/rules.hpp"
#include "tablebase/set.hpp"
#include "tablebase/values.hpp"

namespace damka {

// What a search knows from tables; without any, nothing. For one thread.
template <class Bits>
class EndgamesOf {
   public:
    using Position = PositionOf<Bits>;

    // The score of a win that may come too late for the rules' draws, less twice the plies to it.
    // It is more than any evaluation and less than a win that is sure.
    static constexpr int kLikely = 20000;

    // Asks these tables from now on, or none; or holds them ready without asking. They must stay,
    // and stay the same, while they are asked.
    void set(const TableSet* tables, bool asks = true) {
        if ((tables ? tables->id() : 0) != id_) open(tables);
        pieces_ = asks ? most_ : 0;
    }

    // Whether there may be a table; quick.
    bool reaches(const Position& p) const { return pieces_ && count(p.occupied()) <= pieces_; }

    // Whether the tables settle `p` at `ply`, a draw by counting being `left` plies away: `score`
    // is then what it is worth, `win` being a win at once.
    bool settles(const Position& p, int ply, int left, int win, int& score) {
        const int v = value(p);
        if (v < 0 || v - 1 > left) return false;
        score = v == kTableDraw ? 0 : signed_(v, win - ply - (v - 1));
        return true;
    }

    // Whether the tables know `p`, if not that a win comes in time. Without men it will not, if
    // it is further off than a draw.
    bool guesses(const Position& p, int left, int& score) {
        const int v = value(p);
        if (v < 0 || (v - 1 > left && !(p.men[0] | p.men[1]))) return false;
        score = v == kTableDraw ? 0 : signed_(v, kLikely - 2 * (v - 1));
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

    int signed_(int v, int score) const {
        return Judgement::lost(static_cast<TableValue>(v), losing_) ? -score : score;
    }

    // A damaged table is not asked again.
    int value(const Position& p) {
        const int found = oracle_->value(p);
        if (found == StoreOf<Bits>::kDamaged) pieces_ = most_ = 0;
        return found;
    }

    std::unique_ptr<TableReaderOf<Bits>> reader_;
    std::unique_ptr<OracleOf<Bits>> oracle_;
    std::uint64_t id_ = 0;
    int pieces_ = 0;  // on the board, when it is worth asking
    int most_ = 0;    // that there are tables of
    bool losing_ = false;
};

}  // namespace damka
