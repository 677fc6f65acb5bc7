// Endgame tables: every placement of some material as a number, without gaps.
//
// A table always sees the side to move as White, which moves up; a position with Black to move is
// turned round by half and its colours swapped, and by every rule of the kernel it is worth the
// same. Men are placed first, White's and then Black's, then White's kings and Black's on what is
// left; the squares of each kind, counted among those still free, are a combination, and its number
// is C(a,1) + C(b,2) + … over the squares a < b < …. Where the rules limit a king's moves one after
// the other, a side with men and kings has besides a number that says which king has made how many.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "geometry.hpp"
#include "movegen.hpp"
#include "position.hpp"
#include "rules.hpp"

namespace damka {

inline constexpr int kMaxTablePieces = 6;

// What the side to move has, and what its opponent has.
struct Material {
    struct Side {
        int men = 0;
        int kings = 0;

        constexpr int pieces() const noexcept { return men + kings; }
        friend constexpr bool operator==(const Side&, const Side&) = default;
        // The stronger is the greater: more pieces, then more kings.
        friend constexpr bool operator<(const Side& a, const Side& b) noexcept {
            return a.pieces() != b.pieces() ? a.pieces() < b.pieces() : a.kings < b.kings;
        }
    };

    Side own, their;

    constexpr int pieces() const noexcept { return own.pieces() + their.pieces(); }
    constexpr Material swapped() const noexcept { return {their, own}; }
    // The same with the stronger side first, as files are named.
    constexpr Material ordered() const noexcept { return own < their ? swapped() : *this; }
    // Distinct for materials of up to kMaxTablePieces.
    constexpr std::size_t code() const noexcept {
        return static_cast<std::size_t>(((own.men * 8 + own.kings) * 8 + their.men) * 8 +
                                        their.kings);
    }
    static constexpr std::size_t kCodes = 8 * 8 * 8 * 8;

    // "KKvM": a letter for every piece.
    std::string name() const {
        const auto letters = [](const Side& s) {
            return std::string(static_cast<std::size_t>(s.kings), 'K') +
                   std::string(static_cast<std::size_t>(s.men), 'M');
        };
        return letters(own) + 'v' + letters(their);
    }

    template <class Bits>
    static constexpr Material of(const PositionOf<Bits>& p) noexcept {
        const unsigned own = index(p.turn);
        return {{count(p.men[own]), count(p.kings[own])},
                {count(p.men[own ^ 1]), count(p.kings[own ^ 1])}};
    }

    friend constexpr bool operator==(const Material&, const Material&) = default;
};

// The number of ways to choose k of n.
class Binomials {
   public:
    static constexpr int kMost = kMaxSquares;

    constexpr Binomials() noexcept {
        for (std::size_t n = 0; n <= kMost; ++n) {
            of_[n][0] = 1;
            for (std::size_t k = 1; k <= kMaxTablePieces && n > 0; ++k) {
                of_[n][k] = of_[n - 1][k - 1] + of_[n - 1][k];
            }
        }
    }

    constexpr std::uint64_t operator()(int n, int k) const noexcept {
        return of_[static_cast<std::size_t>(n)][static_cast<std::size_t>(k)];
    }

   private:
    std::array<std::array<std::uint64_t, kMaxTablePieces + 1>, kMost + 1> of_{};
};

inline constexpr Binomials choose{};

// The squares of a board as words.
template <class Bits>
struct FieldOf {
    Bits board{0};
    Bits top{0};     // White's crowning row
    Bits bottom{0};  // Black's
    int bits = 0;    // of the word in use, ghosts included
    int streak = 0;  // Rules::king_streak

    static FieldOf of(const Rules& rules) {
        return visit(rules, [&](auto variant) -> FieldOf {
            using Shape = typename decltype(variant)::Shape;
            return {static_cast<Bits>(Shape::kBoard), static_cast<Bits>(Shape::kTop),
                    static_cast<Bits>(Shape::kBottom), Shape::kBits, rules.king_streak};
        });
    }

    // A set of squares turned round by half.
    constexpr Bits turned(Bits b) const noexcept {
        if constexpr (sizeof(Bits) == 8) {
            return reversed(b) >> (64 - bits);
        } else {
            const Bits all = static_cast<Bits>(reversed(low_half(b))) << 64 | reversed(high_half(b));
            return all >> (128 - bits);
        }
    }

    // The position as its other player sees it, colours swapped. The key is left unset.
    constexpr PositionOf<Bits> turned(const PositionOf<Bits>& p) const noexcept {
        PositionOf<Bits> q;
        q.men = {turned(p.men[1]), turned(p.men[0])};
        q.kings = {turned(p.kings[1]), turned(p.kings[0])};
        q.key = 0;
        q.turn = other(p.turn);
        if (streak) {
            for (const unsigned s : {0u, 1u}) {
                const Streak& from = p.streaks[s ^ 1];
                if (!from.moves) continue;
                q.streaks[s] = {from.moves, static_cast<std::uint8_t>(bits - 1 - from.bit)};
            }
        }
        return q;
    }

    // The squares on which White's or Black's men may stand.
    constexpr Bits squares_of_men(Side side) const noexcept {
        return board & ~(side == Side::white ? top : bottom);
    }

   private:
    static constexpr std::uint64_t reversed(std::uint64_t b) noexcept {
        b = (b >> 1 & 0x5555555555555555u) | (b & 0x5555555555555555u) << 1;
        b = (b >> 2 & 0x3333333333333333u) | (b & 0x3333333333333333u) << 2;
        b = (b >> 4 & 0x0f0f0f0f0f0f0f0fu) | (b & 0x0f0f0f0f0f0f0f0fu) << 4;
        return __builtin_bswap64(b);
    }
};

// How many streaks a side can have made, none among them.
inline unsigned streak_states(int streak, const Material::Side& side) noexcept {
    if (!streak || !side.men || !side.kings) return 1;
    return 1 + static_cast<unsigned>(side.kings * streak);
}

// The number of positions of a material, one side to move.
template <class Bits>
std::uint64_t table_positions(const FieldOf<Bits>& field, const Material& m) noexcept {
    const int row = count(field.bottom);
    const int inner = count(field.squares_of_men(Side::white)) - row;
    std::uint64_t men = 0;
    // Of White's men some stand where none of Black's may.
    for (int home = 0; home <= std::min(row, m.own.men); ++home) {
        if (m.own.men - home > inner) continue;
        men += choose(row, home) * choose(inner, m.own.men - home) *
               choose(inner + row - (m.own.men - home), m.their.men);
    }
    const int left = count(field.board) - m.own.men - m.their.men;
    return men * choose(left, m.own.kings) * choose(left - m.own.kings, m.their.kings) *
           streak_states(field.streak, m.own) * streak_states(field.streak, m.their);
}

template <class Bits>
class CursorOf;

// The numbers of all positions of one material, the side to move as White.
template <class Bits>
class IndexOf {
   public:
    using Position = PositionOf<Bits>;

    IndexOf(const FieldOf<Bits>& field, const Material& material)
        : field_(field), material_(material) {
        const Bits own = field.squares_of_men(Side::white);
        const Bits their = field.squares_of_men(Side::black);
        squares_ = count(field.board);
        left_ = squares_ - material.own.men - material.their.men;
        states_ = {damka::streak_states(field.streak, material.own),
                   damka::streak_states(field.streak, material.their)};
        const std::uint64_t ways = choose(count(own), material.own.men);
        starts_.reserve(static_cast<std::size_t>(ways) + 1);
        std::uint64_t men = 0;
        // White's men on squares that Black's may not have leave Black's more room.
        Combination placed;
        placed.begin(own, material.own.men);
        for (std::uint64_t i = 0; i < ways; ++i, placed.next()) {
            starts_.push_back(men);
            men += choose(count(their & ~placed.set()), material.their.men);
        }
        starts_.push_back(men);
        kings_ = choose(left_, material.own.kings) * their_kings();
        size_ = men * kings_ * per_placement();
    }

    const Material& material() const noexcept { return material_; }
    std::uint64_t size() const noexcept { return size_; }
    const FieldOf<Bits>& field() const noexcept { return field_; }

    // The number of streaks of White's and of Black's; the last digits of an index.
    const std::array<unsigned, 2>& streak_states() const noexcept { return states_; }
    unsigned per_placement() const noexcept { return states_[0] * states_[1]; }

    // The index of a position of this material with White to move.
    std::uint64_t of(const Position& p) const noexcept {
        std::uint64_t i = starts_[rank(p.men[0], field_.squares_of_men(Side::white))] +
                          rank(p.men[1], field_.squares_of_men(Side::black) & ~p.men[0]);
        const Bits free = field_.board & ~(p.men[0] | p.men[1]);
        i = i * kings_ + rank(p.kings[0], free) * their_kings() + rank(p.kings[1], free & ~p.kings[0]);
        if (per_placement() == 1) return i;
        return (i * states_[0] + streak_number(p, 0)) * states_[1] + streak_number(p, 1);
    }

    // Squares chosen from some, in the order of their numbers.
    class Combination {
       public:
        void begin(Bits from, int k) noexcept {
            k_ = k;
            n_ = 0;
            if (k == 0) {
                set_ = Bits{0};
                return;
            }
            for (; from; from &= from - 1) squares_[n_++] = from & (~from + 1);
            reset();
        }

        // Moves to the one of this number.
        void go(std::uint64_t number) noexcept {
            std::size_t at = n_;
            for (unsigned i = static_cast<unsigned>(k_); i-- > 0;) {
                const int k = static_cast<int>(i) + 1;
                do --at;
                while (choose(static_cast<int>(at), k) > number);
                number -= choose(static_cast<int>(at), k);
                at_[i] = at;
            }
            gather();
        }

        // Moves to the following one; after the last back to the first, and returns false.
        bool next() noexcept {
            for (unsigned i = 0; i < static_cast<unsigned>(k_); ++i) {
                const std::size_t end = i + 1 < static_cast<unsigned>(k_) ? at_[i + 1] : n_;
                if (at_[i] + 1 < end) {
                    ++at_[i];
                    while (i-- > 0) at_[i] = i;
                    gather();
                    return true;
                }
            }
            reset();
            return false;
        }

        Bits set() const noexcept { return set_; }

       private:
        void reset() noexcept {
            for (unsigned i = 0; i < static_cast<unsigned>(k_); ++i) at_[i] = i;
            gather();
        }

        void gather() noexcept {
            set_ = Bits{0};
            for (unsigned i = 0; i < static_cast<unsigned>(k_); ++i) set_ |= squares_[at_[i]];
        }

        int k_ = 0;
        std::size_t n_ = 0;
        std::array<std::size_t, kMaxTablePieces> at_{};
        std::array<Bits, kMaxSquares> squares_;
        Bits set_{0};
    };

   private:
    friend class CursorOf<Bits>;

    std::uint64_t their_kings() const noexcept {
        return choose(left_ - material_.own.kings, material_.their.kings);
    }

    static std::uint64_t rank(Bits set, Bits among) noexcept {
        std::uint64_t number = 0;
        int k = 1;
        for (; set; set &= set - 1) {
            const Bits below = (set & (~set + 1)) - 1;
            number += choose(count(among & below), k++);
        }
        return number;
    }

    unsigned streak_number(const Position& p, unsigned side) const noexcept {
        const Streak& streak = p.streaks[side];
        if (states_[side] == 1 || !streak.moves) return 0;
        const int before = count(p.kings[side] & ((Bits{1} << streak.bit) - 1));
        return static_cast<unsigned>(1 + before * field_.streak + streak.moves - 1);
    }

    Streak streak_of(Bits kings, unsigned number) const noexcept {
        if (!number) return {};
        const unsigned most = static_cast<unsigned>(field_.streak);
        for (unsigned skip = (number - 1) / most; skip; --skip) kings &= kings - 1;
        return {static_cast<std::uint8_t>(1 + (number - 1) % most),
                static_cast<std::uint8_t>(lowest(kings))};
    }

    FieldOf<Bits> field_;
    Material material_;
    int squares_ = 0;
    int left_ = 0;  // squares without men
    std::array<unsigned, 2> states_{};
    std::vector<std::uint64_t> starts_;  // by the number of White's men: the placements before
    std::uint64_t kings_ = 0;            // the ways to place the kings
    std::uint64_t size_ = 0;
};

// Walks the positions of an index in order.
template <class Bits>
class CursorOf {
   public:
    using Position = PositionOf<Bits>;

    // The index must outlive the cursor. It stands nowhere yet.
    explicit CursorOf(const IndexOf<Bits>& index) : index_(index) {
        own_men_.begin(index.field_.squares_of_men(Side::white), index.material_.own.men);
    }

    void go(std::uint64_t number) {
        const auto& m = index_.material_;
        unsigned state = 0;
        if (const unsigned states = index_.per_placement(); states > 1) {
            state = static_cast<unsigned>(number % states);
            number /= states;
        }
        const std::uint64_t kings = number % index_.kings_;
        const std::uint64_t men = number / index_.kings_;
        if (men != men_) {
            const auto& starts = index_.starts_;
            const auto after = std::upper_bound(starts.begin(), starts.end(), men);
            own_men_.go(static_cast<std::uint64_t>(after - starts.begin()) - 1);
            place_their_men();
            their_men_.go(men - *(after - 1));
            place_own_kings();
            men_ = men;
        }
        // Most steps are short, and preparing the squares for the last kings costs more than moving
        // them.
        if (const std::uint64_t number_of_own = kings / index_.their_kings();
            number_of_own != own_kings_at_) {
            own_kings_.go(number_of_own);
            own_kings_at_ = number_of_own;
            their_kings_.begin(free_ & ~own_kings_.set(), m.their.kings);
        }
        their_kings_.go(kings % index_.their_kings());
        state_ = state;
        gather();
    }

    // From the last position, to the first.
    void next() {
        if (++state_ < index_.per_placement()) return gather_streaks();
        state_ = 0;
        const auto& m = index_.material_;
        if (!their_kings_.next()) {
            ++own_kings_at_;
            if (!own_kings_.next()) {
                ++men_;
                if (!their_men_.next()) {
                    if (!own_men_.next()) men_ = 0;
                    place_their_men();
                }
                place_own_kings();
                own_kings_at_ = 0;
            }
            their_kings_.begin(free_ & ~own_kings_.set(), m.their.kings);
        }
        gather();
    }

    // White is to move; the key is unset.
    const Position& position() const noexcept { return position_; }

   private:
    static constexpr std::uint64_t kNowhere = ~std::uint64_t{0};

    void place_their_men() {
        their_men_.begin(index_.field_.squares_of_men(Side::black) & ~own_men_.set(),
                         index_.material_.their.men);
    }

    void place_own_kings() {
        free_ = index_.field_.board & ~(own_men_.set() | their_men_.set());
        own_kings_.begin(free_, index_.material_.own.kings);
        own_kings_at_ = kNowhere;
    }

    void gather() {
        position_.men = {own_men_.set(), their_men_.set()};
        position_.kings = {own_kings_.set(), their_kings_.set()};
        if (index_.per_placement() > 1) gather_streaks();
    }

    void gather_streaks() {
        const unsigned their = index_.states_[1];
        position_.streaks = {index_.streak_of(position_.kings[0], state_ / their),
                             index_.streak_of(position_.kings[1], state_ % their)};
    }

    const IndexOf<Bits>& index_;
    typename IndexOf<Bits>::Combination own_men_, their_men_, own_kings_, their_kings_;
    Bits free_{0};
    std::uint64_t men_ = kNowhere;           // the number of the men's placement,
    std::uint64_t own_kings_at_ = kNowhere;  // and of White's kings
    unsigned state_ = 0;
    Position position_ = empty_position<Bits>();
};

}  // namespace damka
