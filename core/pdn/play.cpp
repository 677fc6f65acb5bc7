#include "pdn/play.hpp"

#include <algorithm>
#include <utility>

#include "movegen/capture_limits.hpp"
#include "movegen/movegen_table.hpp"
#include "movegen/routes.hpp"
#include "position/visit.hpp"

namespace damka::pdn {

namespace {

// Captures with the same ends that are compared with a text, and routes of each.
constexpr std::size_t kMostCompared = 512;
constexpr int kMostRoutes = 4096;
// Times that a game is taken back to a capture that is not told clearly.
constexpr int kMostTrials = 200;
// Moves that are played again for it, so that a text made to be slow is not; 200 games of 1000.
constexpr std::size_t kMostReplayed = 200'000;
// Points of both players in a micro-match, taken together.
constexpr int kMostPoints = 24;
// Such texts that are remembered, the last ones of a game.
constexpr std::size_t kMostChoices = 64;
// Captures that one such text may mean.
constexpr std::size_t kMostMeanings = 32;

template <class Shape, class Bits>
class Player {
    using Position = PositionOf<Bits>;
    using Move = MoveOf<Bits>;

   public:
    Player(const Request& request, std::string_view text, std::size_t begin)
        : request_(request),
          rules_(request.rules),
          layout_(layout_of(request.rules)),
          movegen_(MoveGenTableOf<Bits>::of(request.rules)),
          lexer_(text, begin),
          text_(text) {
        lines_.push_back({with_words<Bits>(request.start), {}, false});
    }

    Played run() {
        for (;;) {
            const Fault fault = go_on();
            if (fault == Fault::none) {
                done_.fault = Fault::none;
                done_.moves = moves_;
                done_.result = result_;
                done_.last = with_words<Wide>(lines_.front().now);
                return done_;
            }
            if (!try_another()) return done_;
        }
    }

   private:
    // One line of play: the main line, and the variations that are open.
    struct Line {
        Position now;
        Position before;  // the last move
        bool moved;
    };

    // A text that may mean several captures, as it was when one of them was chosen.
    struct Choice {
        std::size_t at;
        std::vector<Line> lines;
        std::size_t moves;
        std::size_t all_moves;
        std::size_t events;
        std::vector<Move> meanings;
        std::size_t chosen;
    };

    // Plays to the end; returns a fault, which is noted if none was found later in the text.
    Fault go_on() {
        for (;;) {
            const Token& token = lexer_.next();
            switch (token.kind) {
                case Kind::end:
                case Kind::tag: return Fault::none;
                case Kind::move: {
                    const Fault fault = play_move(token);
                    if (fault == Fault::none) break;
                    if (is_score(token)) {
                        result_ = written(token);
                        break;
                    }
                    return note(fault, token);
                }
                case Kind::open:
                    if (lines_.size() > kDeepest) return note(Fault::too_deep, token);
                    lines_.push_back(lines_.back());
                    if (lines_.back().moved) lines_.back().now = lines_.back().before;
                    lines_.back().moved = false;
                    tell(Kind::open);
                    break;
                case Kind::close:
                    // One too many does no harm.
                    if (lines_.size() == 1) break;
                    lines_.pop_back();
                    tell(Kind::close);
                    break;
                case Kind::nag:
                    if (request_.events) request_.events->push_back({Kind::nag, token.nag});
                    break;
                case Kind::comment:
                    if (request_.events) {
                        request_.events->push_back({Kind::comment, 0, token.begin, token.end});
                    }
                    break;
                case Kind::setup: {
                    WidePosition set{};
                    if (!request_.setup(request_.data, written(token), set)) {
                        return note(Fault::setup, token);
                    }
                    lines_.back() = {with_words<Bits>(set), {}, false};
                    if (request_.events) {
                        request_.events->push_back({Kind::setup, 0, token.begin, token.end, set});
                    }
                    break;
                }
                case Kind::result:
                    if (lines_.size() == 1 && result_.empty()) result_ = written(token);
                    break;
                case Kind::fault: {
                    const std::string_view said = request_.result;
                    if (!said.empty() && text_.compare(token.begin, said.size(), said) == 0) {
                        lexer_.go(token.begin + said.size());
                        if (lexer_.ends_here()) {
                            result_ = said;
                            break;
                        }
                    }
                    return note(token.fault, token);
                }
            }
        }
    }

    std::string_view written(const Token& token) const {
        return text_.substr(token.begin, token.end - token.begin);
    }

    // Whether what is no legal move is the result of a micro-match, such as 4-6: small numbers at
    // the end, which name none of the player's pieces.
    bool is_score(const Token& token) const {
        if (!token.perhaps_score || lines_.size() != 1 || !lexer_.ends_here()) return false;
        const Position& p = lines_.back().now;
        const int square = request_.labels.square(token.squares.names[0]);
        const bool piece = square && (p.pieces(p.turn) >> layout_.bit(square) & 1);
        return !piece &&
               token.squares.names[0].number + token.squares.names[1].number <= kMostPoints;
    }

    void tell(Kind kind) {
        if (request_.events) request_.events->push_back({kind});
    }

    Fault note(Fault fault, const Token& token) {
        if (done_.fault == Fault::none || token.begin > done_.begin) {
            done_.fault = fault;
            done_.begin = token.begin;
            done_.end = token.end;
            done_.moves = moves_;
            done_.position = with_words<Wide>(lines_.back().now);
        }
        return fault;
    }

    Fault play_move(const Token& token) {
        if (token.perhaps_score && lines_.size() == 1 && written(token) == request_.result &&
            lexer_.ends_here()) {
            result_ = written(token);
            return Fault::none;
        }
        if (++all_moves_ > kMostMoves) return Fault::too_many;
        if (trials_) ++replayed_;
        meanings_.clear();
        const Fault fault = read(token);
        if (fault != Fault::none) return fault;
        if (meanings_.size() > 1 && trials_ < kMostTrials) {
            if (meanings_.size() > kMostMeanings) meanings_.resize(kMostMeanings);
            if (choices_.size() == kMostChoices) choices_.erase(choices_.begin());
            choices_.push_back({lexer_.at(), lines_, moves_, all_moves_,
                                request_.events ? request_.events->size() : 0, meanings_, 0});
        }
        apply(meanings_.front());
        return Fault::none;
    }

    void apply(const Move& move) {
        Line& line = lines_.back();
        if (request_.events) {
            request_.events->push_back(
                {Kind::move, 0, 0, 0, with_words<Wide>(line.now), with_words<Wide>(move)});
        }
        line.before = line.now;
        line.now = make(rules_, line.now, move);
        line.moved = true;
        if (lines_.size() == 1) ++moves_;
    }

    // Goes back to the last text that may mean another capture.
    bool try_another() {
        while (!choices_.empty()) {
            Choice& choice = choices_.back();
            if (++choice.chosen == choice.meanings.size() || ++trials_ > kMostTrials ||
                replayed_ > kMostReplayed) {
                choices_.pop_back();
                continue;
            }
            lexer_.go(choice.at);
            lines_ = choice.lines;
            moves_ = choice.moves;
            all_moves_ = choice.all_moves;
            result_ = {};
            if (request_.events) request_.events->resize(choice.events);
            apply(choice.meanings[choice.chosen]);
            return true;
        }
        return false;
    }

    // --- what a text means ---

    // Puts the legal moves that it may mean into meanings_.
    Fault read(const Token& token) {
        squares_.clear();
        for (std::size_t i = 0; i < token.squares.size; ++i) {
            const int square = request_.labels.square(token.squares.names[i]);
            if (square == 0 || square > layout_.squares) return Fault::no_square;
            squares_.push_back(layout_.bit(square));
        }
        const Position& p = lines_.back().now;
        if (is_over(rules_, p)) return Fault::illegal;
        const bool due = movegen_.can_capture(rules_, p, p.turn);
        const bool quiet = !token.takes && squares_.size() == 2 && token.captured.size == 0;
        if (quiet && (!due || rules_.capture_is_free)) {
            if (find_quiet(p)) return Fault::none;
        }
        if (due) {
            const std::uint64_t unfinished = capture_limits().unfinished;
            list_.clear();
            movegen_.known_captures(rules_, p, list_);
            if (capture_limits().unfinished != unfinished) return Fault::too_complex;
            find_capture(token, p);
            if (!meanings_.empty()) return Fault::none;
            if (quiet && request_.offences && find_quiet(p)) return Fault::none;
        }
        return Fault::illegal;
    }

    bool find_quiet(const Position& p) {
        list_.clear();
        movegen_.quiets(rules_, p, list_);
        for (const Move& move : list_) {
            if (move.from == squares_[0] && move.to == squares_[1]) meanings_.push_back(move);
        }
        return !meanings_.empty();
    }

    void keep(const auto& fits) {
        for (const Move& move : list_) {
            if (fits(move)) meanings_.push_back(move);
        }
    }

    void find_capture(const Token& token, const Position& p) {
        const int from = squares_.front();
        const int to = squares_.back();
        keep([&](const Move& move) { return move.from == from && move.to == to; });
        if (token.captured.size && !only_taking(token)) return;
        if (squares_.size() == 2) {
            if (meanings_.size() > 1) prefer_straight();
            return;
        }
        if (meanings_.size() > kMostCompared) meanings_.resize(kMostCompared);
        prefer_route(p);
        if (meanings_.empty()) take_as_captured();
    }

    // Keeps the moves that take what is listed after them.
    bool only_taking(const Token& token) {
        Bits taken{0};
        for (std::size_t i = 0; i < token.captured.size; ++i) {
            const int square = request_.labels.square(token.captured.names[i]);
            if (square == 0 || square > layout_.squares) {
                meanings_.clear();
                return false;
            }
            taken |= Shape::one(layout_.bit(square));
        }
        std::erase_if(meanings_, [&](const Move& move) { return move.captured != taken; });
        return !meanings_.empty();
    }

    // Of captures with the same ends, a jump over one piece goes straight from one to the other: it
    // is the likeliest.
    void prefer_straight() {
        const auto single = [](const Move& move) { return count(move.captured) == 1; };
        std::stable_partition(meanings_.begin(), meanings_.end(), single);
    }

    // Keeps the moves with a route over the squares named: over all its landings if there is one,
    // else over some squares that it comes by.
    void prefer_route(const Position& p) {
        std::vector<Move> exact;
        std::vector<Move> passing;
        for (const Move& move : meanings_) {
            int seen = 0;
            bool passes = false;
            bool is_route = false;
            walk_routes(rules_, with_words<Wide>(p), with_words<Wide>(move),
                        [&](const Route& route) {
                            is_route = lands(route);
                            passes = passes || is_route || comes_by(route);
                            return !is_route && ++seen < kMostRoutes;
                        });
            if (is_route) exact.push_back(move);
            if (passes) passing.push_back(move);
        }
        meanings_ = exact.empty() ? std::move(passing) : std::move(exact);
    }

    bool lands(const Route& route) const {
        if (route.length != squares_.size()) return false;
        for (std::size_t i = 0; i < squares_.size(); ++i) {
            if (layout_.bit(route.squares[i]) != squares_[i]) return false;
        }
        return true;
    }

    bool comes_by(const Route& route) const {
        std::size_t next = 1;
        const auto meet = [&](int bit) {
            if (next + 1 < squares_.size() && bit == squares_[next]) ++next;
        };
        for (unsigned i = 1; i < route.length; ++i) {
            const int from = layout_.bit(route.squares[i - 1]);
            const int to = layout_.bit(route.squares[i]);
            for (Direction d = 0; d < kDirections; ++d) {
                const Bits line = Shape::line(d, from);
                if (!(line & Shape::one(to))) continue;
                Bits between = line & ~Shape::line(d, to);
                while (between) {
                    const int bit = (d & 2) ? lowest(between) : width_of(between) - 1;
                    between &= ~Shape::one(bit);
                    meet(bit);
                }
                break;
            }
        }
        return next + 1 == squares_.size();
    }

    // The start, the end, and then the pieces taken.
    void take_as_captured() {
        Bits taken{0};
        for (std::size_t i = 2; i < squares_.size(); ++i) taken |= Shape::one(squares_[i]);
        keep([&](const Move& move) {
            return move.from == squares_[0] && move.to == squares_[1] && move.captured == taken;
        });
    }

    const Request& request_;
    const Rules& rules_;
    const Layout& layout_;
    const MoveGenTableOf<Bits> movegen_;
    Lexer lexer_;
    std::string_view text_;
    std::vector<Line> lines_;
    std::vector<Choice> choices_;
    std::vector<int> squares_;  // bits
    std::vector<Move> meanings_;
    MoveListOf<Bits> list_;
    Played done_;
    std::string_view result_;
    std::size_t moves_ = 0;
    std::size_t all_moves_ = 0;
    int trials_ = 0;
    std::size_t replayed_ = 0;
};

}  // namespace

Played play(const Request& request, std::string_view text, std::size_t begin, std::size_t end) {
    return visit(request.rules, [&](auto v) {
        // Written once for a board, whatever else the rules say.
        using V = decltype(v);
        return Player<typename V::Shape, typename V::Bits>(request, text.substr(0, end), begin)
            .run();
    });
}

}  // namespace damka::pdn
