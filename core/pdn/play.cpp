#include "pdn/play.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "movegen/capture_limits.hpp"
#include "movegen/movegen_table.hpp"
#include "movegen/routes.hpp"
#include "position/visit.hpp"

namespace damka::pdn {

namespace {

// Maximum number of captures with the same ends to compare with move text, and of routes of each.
constexpr std::size_t kMaxCompared = 512;
constexpr int kMaxRoutes = 4096;
// Maximum number of backtracks to an ambiguous capture.
constexpr int kMaxBacktracks = 200;
// Maximum number of moves to replay for them, against malicious text: 200 games of 1000 moves.
constexpr std::size_t kMaxReplayed = 200'000;
// Maximum number of ambiguous captures to remember, the last ones of a game.
constexpr std::size_t kMaxChoices = 64;
// Maximum number of meanings of an ambiguous capture.
constexpr std::size_t kMaxMeanings = 32;

template <class Shape, class Bits>
class MovetextPlayer {
    using Position = PositionOf<Bits>;
    using Move = MoveOf<Bits>;

   public:
    MovetextPlayer(const Request& request, std::string_view text, std::size_t begin)
        : request_(request),
          rules_(request.rules),
          layout_(layout_of(request.rules)),
          movegen_(MoveGenTableOf<Bits>::of(request.rules)),
          lexer_(text, begin),
          text_(text) {
        const Position start = with_words<Bits>(request.start);
        lines_.push_back({start, {}, false, parity(start)});
    }

    Playthrough run() {
        for (;;) {
            if (play_line() == Fault::none) return finish();
            if (backtrack()) continue;
            if (furthest_) restore_furthest();
            choices_.clear();
            if (!request_.tolerant) {
                moves_ = stop_moves_;
                problems_.push_back(*stop_);
                return finish();
            }
            skip_line();
        }
    }

   private:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    // The main line, or an open variation.
    struct Line {
        Position now;
        Position before;  // before the last move
        bool moved;
        int ply;                     // even if the player who begins is to move
        std::size_t open = 0;        // offset of its bracket
        std::size_t result = kNone;  // offset of a result in it
        std::size_t result_end = 0;
        bool is_unusual = false;  // its result has points that only a micro-match has
    };

    // An ambiguous capture, with the state before the choice.
    struct Choice {
        std::size_t at;
        std::vector<Line> lines;
        std::size_t moves;
        std::size_t all_moves;
        std::size_t events;
        std::size_t problems;
        std::vector<Move> meanings;
        std::size_t chosen;
    };

    // State at the furthest fault in the text.
    struct Furthest {
        std::vector<Line> lines;
        std::size_t moves;
        std::size_t all_moves;
        std::string_view result;
        std::vector<Problem> problems;
        std::size_t event_count;    // number of events before the first choice
        std::vector<Event> events;  // later events
    };

    Playthrough finish() {
        std::stable_sort(problems_.begin(), problems_.end(),
                         [](const Problem& a, const Problem& b) { return a.begin < b.begin; });
        return {moves_, std::move(problems_), result_, with_words<Wide>(lines_.front().now)};
    }

    // Plays to the end; returns a fault that ends a line, after noting it.
    Fault play_line() {
        Kind before = Kind::end;
        for (;;) {
            const Token& token = lexer_.next();
            if (token.number && !offset_) offset_ = token.number - lines_.back().ply / 2;
            Fault fault = Fault::none;
            switch (token.kind) {
                case Kind::end:
                case Kind::tag:
                    if (lines_.size() == 1) return Fault::none;
                    fault = warn(Fault::open_variation, lines_[1].open, lines_[1].open + 1);
                    lines_.resize(1);
                    if (fault == Fault::none) return fault;
                    break;
                case Kind::move:
                    if (lines_.back().result != kNone) return fail_at_result();
                    fault = play_move(token);
                    if (fault != Fault::none && is_score(token)) {
                        result_ = text_of(token);
                        fault = Fault::none;
                    }
                    if (fault != Fault::none) return fail(fault, token);
                    break;
                case Kind::number:
                    if (lines_.back().result != kNone) return fail_at_result();
                    fault = play_number(token, before);
                    if (fault != Fault::none) return fault;
                    continue;
                case Kind::open:
                    if (lines_.size() > kMaxVariationDepth) return fail(Fault::too_deep, token);
                    open(token.begin);
                    break;
                case Kind::close:
                    if (lines_.size() == 1) {
                        fault = warn(Fault::extra_close, token.begin, token.end);
                        break;
                    }
                    close();
                    break;
                case Kind::nag:
                    if (request_.events) request_.events->push_back({Kind::nag, token.nag});
                    break;
                case Kind::comment:
                    if (request_.events) {
                        request_.events->push_back({Kind::comment, 0, token.begin, token.end});
                    }
                    if (token.fault != Fault::none) {
                        fault = warn(token.fault, token.at, token.end);
                    }
                    break;
                case Kind::setup: {
                    WidePosition set{};
                    if (!request_.setup(request_.data, text_of(token), set)) {
                        return fail(Fault::setup, token);
                    }
                    Line& line = lines_.back();
                    line.now = with_words<Bits>(set);
                    line.before = {};
                    line.moved = false;
                    line.ply = parity(line.now);
                    offset_.reset();
                    if (request_.events) {
                        request_.events->push_back({Kind::setup, 0, token.begin, token.end, set});
                    }
                    break;
                }
                case Kind::result: {
                    Line& line = lines_.back();
                    const bool star = text_of(token) == "*";
                    // "0-14" may have been intended as a move, and "6-0" before "*" as well.
                    const bool is_unusual = is_unusual_score(text_of(token));
                    if (is_unusual && (lines_.size() > 1 || tag_has_result())) {
                        return fail(Fault::unreadable, token);
                    }
                    if (star && line.result != kNone && line.is_unusual) {
                        if (lines_.size() == 1) result_ = {};
                        return fail(Fault::unreadable, line.result, line.result_end,
                                    line.result_end);
                    }
                    if (line.result != kNone && !star && !is_same_result(token)) {
                        return fail_at_result();
                    }
                    if (line.result == kNone) {
                        line.result = token.begin;
                        line.result_end = token.end;
                        line.is_unusual = is_unusual;
                    }
                    if (lines_.size() == 1 && result_.empty()) result_ = text_of(token);
                    break;
                }
                case Kind::skipped:
                case Kind::fault: {
                    const std::string_view tag_result = request_.result;
                    if (!tag_result.empty() &&
                        text_.compare(token.begin, tag_result.size(), tag_result) == 0) {
                        const std::size_t after = lexer_.at();
                        lexer_.seek(token.begin + tag_result.size());
                        if (lexer_.ends_here()) {
                            result_ = tag_result;
                            break;
                        }
                        lexer_.seek(after);
                    }
                    if (token.kind == Kind::fault) return fail(token.fault, token);
                    fault = warn(token.fault, token.begin, token.end);
                    break;
                }
            }
            if (fault != Fault::none) return fault;
            before = token.kind;
        }
    }

    int parity(const Position& p) const { return p.turn == rules_.first ? 0 : 1; }

    void open(std::size_t at) {
        lines_.push_back(lines_.back());
        Line& line = lines_.back();
        if (line.moved) {
            line.now = line.before;
            --line.ply;
        }
        line.moved = false;
        line.open = at;
        line.result = kNone;
        add_event(Kind::open);
    }

    void close() {
        lines_.pop_back();
        add_event(Kind::close);
    }

    std::string_view text_of(const Token& token) const {
        return text_.substr(token.begin, token.end - token.begin);
    }

    // Whether an illegal move is the result of a micro-match, such as 4-6: small numbers at the
    // end, without a piece of the player on the first square. 4:6 may be a time.
    bool is_score(const Token& token) const {
        if (!token.may_be_score || token.takes || lines_.size() != 1) return false;
        if (!lexer_.ends_here()) return false;
        const Position& p = lines_.back().now;
        const int square = request_.labels.square(token.squares.names[0]);
        const bool piece = square && (p.pieces(p.turn) >> layout_.bit(square) & 1);
        return !piece &&
               token.squares.names[0].number + token.squares.names[1].number <= kMaxPoints;
    }

    void add_event(Kind kind) {
        if (request_.events) request_.events->push_back({kind});
    }

    // Whether points are neither a usual result nor the tag's.
    bool is_unusual_score(std::string_view text) const {
        constexpr std::array<std::string_view, 6> usual = {"1-0", "0-1", "2-0",
                                                           "0-2", "1-1", "0-0"};
        const bool digits = text.find_first_not_of("0123456789-") == std::string_view::npos;
        return digits && text != request_.result &&
               std::find(usual.begin(), usual.end(), text) == usual.end();
    }

    // Whether the tag has a result.
    bool tag_has_result() const {
        const std::string_view tag_result = request_.result;
        return !tag_result.empty() && tag_result != "*" && tag_result != "?";
    }

    // Whether a second result repeats the first one.
    bool is_same_result(const Token& token) const {
        const Line& line = lines_.back();
        const auto first = text_.substr(line.result, line.result_end - line.result);
        return first == "*" || first == text_of(token);
    }

    // Notes a fault that does not end its line; returns a fault if there are too many.
    Fault warn(Fault fault, std::size_t begin, std::size_t end) {
        if (problems_.size() + 1 >= kMaxProblems) {
            return fail(Fault::too_many_faults, begin, end, end);
        }
        problems_.push_back({fault, begin, end, false, 0, 0, lines_.size() - 1, {}});
        return Fault::none;
    }

    Fault fail(Fault fault, const Token& token) {
        // An unclosed comment may contain moves.
        const bool comment = fault == Fault::nested_comment || fault == Fault::open_comment;
        const std::size_t rest = comment ? token.at + 1 : token.end;
        if (fault == Fault::open_comment) return fail(fault, token.at, token.at + 1, rest);
        return fail(fault, token.begin, token.end, rest);
    }

    Fault fail_at_result() {
        const Line& line = lines_.back();
        if (lines_.size() == 1) result_ = {};
        return fail(Fault::result_inside, line.result, line.result_end, line.result_end);
    }

    Fault fail(Fault fault, std::size_t begin, std::size_t end, std::size_t rest) {
        if (stop_ && begin <= stop_->begin) return fault;
        stop_ = {fault,
                 begin,
                 end,
                 true,
                 rest,
                 text_.size(),
                 lines_.size() - 1,
                 with_words<Wide>(lines_.back().now)};
        stop_moves_ = moves_;
        furthest_.reset();
        if (request_.tolerant && !choices_.empty()) {
            const std::size_t event_count = choices_.front().events;
            furthest_ = {lines_, moves_, all_moves_, result_, problems_, event_count, {}};
            if (request_.events) {
                const auto from =
                    request_.events->begin() + static_cast<std::ptrdiff_t>(event_count);
                furthest_->events.assign(from, request_.events->end());
            }
        }
        return fault;
    }

    // Restores the state at the furthest fault.
    void restore_furthest() {
        lines_ = std::move(furthest_->lines);
        moves_ = furthest_->moves;
        all_moves_ = furthest_->all_moves;
        result_ = furthest_->result;
        problems_ = std::move(furthest_->problems);
        if (request_.events) {
            request_.events->resize(furthest_->event_count);
            request_.events->insert(request_.events->end(), furthest_->events.begin(),
                                    furthest_->events.end());
        }
        furthest_.reset();
    }

    // Ends a line at its fault: the rest, up to its closing bracket, is skipped.
    void skip_line() {
        Problem problem = *stop_;
        stop_.reset();
        const Fault fault = problem.fault;
        const bool all = fault == Fault::too_many || fault == Fault::too_many_faults;
        // Only the variation that is nested too deep is skipped.
        const bool deep = fault == Fault::too_deep;
        const bool inside = lines_.size() > 1 || deep;
        lexer_.seek(fault == Fault::nested_comment ? problem.begin : problem.rest);
        std::size_t depth = 0;
        std::size_t result = kNone;
        for (;;) {
            const Token& token = lexer_.next();
            if (token.kind == Kind::end || token.kind == Kind::tag) {
                problem.line_end = std::max(token.at, problem.rest);
                if (result != kNone && result >= problem.rest) {
                    problem.line_end = result;
                    if (result_.empty()) result_ = ending_;
                }
                lines_.resize(1);
                break;
            }
            if (token.kind == Kind::close) {
                if (depth == 0 && inside && !all) {
                    problem.line_end = token.begin;
                    if (!deep) close();
                    break;
                }
                if (depth) --depth;
            }
            if (token.kind == Kind::open) ++depth;
            if (token.fault == Fault::nested_comment) lexer_.seek(token.begin);
            if (token.kind == Kind::result) {
                if (result == kNone) {
                    result = token.begin;
                    ending_ = text_of(token);
                }
            } else if (token.kind != Kind::comment) {
                result = kNone;
            }
        }
        problems_.push_back(problem);
    }

    Fault play_move(const Token& token) {
        if (token.may_be_score && lines_.size() == 1 && text_of(token) == request_.result &&
            lexer_.ends_here()) {
            result_ = text_of(token);
            return Fault::none;
        }
        if (++all_moves_ > kMaxMoves) return Fault::too_many;
        if (backtracks_) ++replayed_;
        const Fault fault = read(token);
        if (fault != Fault::none) return fault;
        if (meanings_.size() > 1 && backtracks_ < kMaxBacktracks) {
            if (meanings_.size() > kMaxMeanings) meanings_.resize(kMaxMeanings);
            if (choices_.size() == kMaxChoices) choices_.erase(choices_.begin());
            choices_.push_back({lexer_.at(), lines_, moves_, all_moves_,
                                request_.events ? request_.events->size() : 0, problems_.size(),
                                meanings_, 0});
        }
        push(meanings_.front());
        return Fault::none;
    }

    // A number without a dot: the first square of a move, or a move number.
    Fault play_number(const Token& found, Kind& before) {
        const Token token = found;
        const Token next = Lexer(lexer_).next();
        const bool counted = may_be_move_number(token, before);
        if (next.kind == Kind::number && !next.number) {
            Lexer further = lexer_;
            further.next();
            const Token third = further.next();
            if (counted && third.kind == Kind::number && !third.number &&
                read(pair(next, third)) == Fault::none) {
                set_move_number(token);
                before = Kind::number;
                return Fault::none;
            }
            const Token move = pair(token, next);
            lexer_.seek(next.end);
            const Fault fault = play_move(move);
            if (fault != Fault::none) return fail(fault, move);
            before = Kind::move;
            return fault;
        }
        const bool last = next.kind == Kind::end || next.kind == Kind::close ||
                          next.kind == Kind::number || next.kind == Kind::tag;
        before = Kind::number;
        if (counted && !last) {
            set_move_number(token);
            return Fault::none;
        }
        // The next move is legal now, so the number was not a move of this side.
        if (next.kind == Kind::move && read(next) == Fault::none) {
            return warn(Fault::number, token.lead, token.end);
        }
        return fail(Fault::number, token.lead, token.end, token.end);
    }

    // Whether this may be the number of the next move.
    bool may_be_move_number(const Token& token, Kind before) const {
        const int ply = lines_.back().ply;
        const bool begins = before != Kind::move && before != Kind::nag && before != Kind::number;
        if (token.number || before == Kind::number || (ply % 2 && !begins)) return false;
        return !offset_ || token.nag == *offset_ + ply / 2;
    }

    void set_move_number(const Token& token) {
        if (!offset_) offset_ = token.nag - lines_.back().ply / 2;
    }

    // Combines two numbers to a move.
    static Token pair(const Token& first, const Token& second) {
        Token move = first;
        move.kind = Kind::move;
        move.end = second.end;
        constexpr int most = 1000;
        for (const int number : {first.nag, second.nag}) {
            move.squares.add({0, static_cast<std::uint16_t>(std::min(number, most))});
        }
        return move;
    }

    void push(const Move& move) {
        Line& line = lines_.back();
        if (request_.events) {
            request_.events->push_back(
                {Kind::move, 0, 0, 0, with_words<Wide>(line.now), with_words<Wide>(move)});
        }
        line.before = line.now;
        line.now = make(rules_, line.now, move);
        line.moved = true;
        ++line.ply;
        if (lines_.size() == 1) ++moves_;
    }

    // Backtracks to the last ambiguous capture with another meaning.
    bool backtrack() {
        while (!choices_.empty()) {
            Choice& choice = choices_.back();
            if (++choice.chosen == choice.meanings.size() || ++backtracks_ > kMaxBacktracks ||
                replayed_ > kMaxReplayed) {
                choices_.pop_back();
                continue;
            }
            lexer_.seek(choice.at);
            lines_ = choice.lines;
            moves_ = choice.moves;
            all_moves_ = choice.all_moves;
            result_ = {};
            problems_.resize(choice.problems);
            if (request_.events) request_.events->resize(choice.events);
            push(choice.meanings[choice.chosen]);
            return true;
        }
        return false;
    }

    // --- meaning of move text ---

    // Puts the legal moves that match the text into meanings_.
    Fault read(const Token& token) {
        meanings_.clear();
        squares_.clear();
        for (std::size_t i = 0; i < token.squares.size; ++i) {
            const int square = request_.labels.square(token.squares.names[i]);
            if (square == 0 || square > layout_.squares) return Fault::no_square;
            squares_.push_back(layout_.bit(square));
        }
        const Position& p = lines_.back().now;
        if (is_over(rules_, p)) return Fault::illegal;
        const bool due = movegen_.can_capture(rules_, p, p.turn);
        // Some books write every move with x, others every capture with a hyphen.
        const bool ends = squares_.size() == 2 && token.captured.size == 0;
        const bool quiet = ends && (!due || rules_.capture_is_free);
        if (quiet && !token.takes && find_quiet(p)) return Fault::none;
        if (due) {
            const std::uint64_t unfinished = capture_limits().unfinished;
            list_.clear();
            movegen_.known_captures(rules_, p, list_);
            if (capture_limits().unfinished != unfinished) return Fault::too_complex;
            const bool ambiguous = find_capture(token, p);
            if (ambiguous) return Fault::ambiguous;
            if (!meanings_.empty()) return Fault::none;
            if (ends && !token.takes && request_.offences && find_quiet(p)) return Fault::none;
        }
        if (quiet && token.takes && find_quiet(p)) return Fault::none;
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

    void select(const auto& fits) {
        for (const Move& move : list_) {
            if (fits(move)) meanings_.push_back(move);
        }
    }

    // Finds the captures that match; returns whether intermediate squares leave several.
    bool find_capture(const Token& token, const Position& p) {
        const int from = squares_.front();
        const int to = squares_.back();
        select([&](const Move& move) { return move.from == from && move.to == to; });
        if (token.captured.size && !filter_by_captured(token)) return false;
        if (squares_.size() == 2) {
            if (meanings_.size() > 1) prefer_straight();
            return false;
        }
        if (meanings_.size() > kMaxCompared) meanings_.resize(kMaxCompared);
        prefer_route(p);
        if (meanings_.empty()) match_captured();
        return meanings_.size() > 1;
    }

    // Filters the moves by their listed captured squares.
    bool filter_by_captured(const Token& token) {
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

    // Among captures with the same ends, puts jumps over one piece first: they are the likeliest.
    void prefer_straight() {
        const auto single = [](const Move& move) { return count(move.captured) == 1; };
        std::stable_partition(meanings_.begin(), meanings_.end(), single);
    }

    // Filters the moves by a route over the named squares: all its landings, or some of them, or
    // squares that it passes. Landings take precedence over passed squares.
    void prefer_route(const Position& p) {
        enum : std::size_t { exact, landing, passing, none };
        std::array<std::vector<Move>, none> found;
        for (const Move& move : meanings_) {
            int seen = 0;
            std::size_t best = none;
            walk_routes(rules_, with_words<Wide>(p), with_words<Wide>(move),
                        [&](const Route& route) {
                            const std::size_t fit = lands_on_all(route)    ? exact
                                                    : lands_on_some(route) ? landing
                                                    : passes_over(route)   ? passing
                                                                           : none;
                            best = std::min(best, fit);
                            return best != exact && ++seen < kMaxRoutes;
                        });
            if (best != none) found[best].push_back(move);
        }
        meanings_.clear();
        for (std::vector<Move>& moves : found) {
            if (meanings_.empty()) meanings_ = std::move(moves);
        }
    }

    bool lands_on_some(const Route& route) const {
        std::size_t next = 1;
        for (unsigned i = 1; i + 1 < route.length && next + 1 < squares_.size(); ++i) {
            if (layout_.bit(route.squares[i]) == squares_[next]) ++next;
        }
        return next + 1 == squares_.size();
    }

    bool lands_on_all(const Route& route) const {
        if (route.length != squares_.size()) return false;
        for (std::size_t i = 0; i < squares_.size(); ++i) {
            if (layout_.bit(route.squares[i]) != squares_[i]) return false;
        }
        return true;
    }

    bool passes_over(const Route& route) const {
        std::size_t next = 1;
        const auto visit_square = [&](int bit) {
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
                    visit_square(bit);
                }
                break;
            }
        }
        return next + 1 == squares_.size();
    }

    // Filters by start, end, and the captured squares after them.
    void match_captured() {
        Bits taken{0};
        for (std::size_t i = 2; i < squares_.size(); ++i) taken |= Shape::one(squares_[i]);
        select([&](const Move& move) {
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
    std::vector<Problem> problems_;
    std::optional<Problem> stop_;  // the furthest fault of the current line
    std::size_t stop_moves_ = 0;
    std::optional<Furthest> furthest_;
    std::optional<int> offset_;  // the number of the first move
    std::string_view ending_;
    std::string_view result_;
    std::size_t moves_ = 0;
    std::size_t all_moves_ = 0;
    int backtracks_ = 0;
    std::size_t replayed_ = 0;
};

}  // namespace

Playthrough play(const Request& request, std::string_view text, std::size_t begin,
                 std::size_t end) {
    return visit(request.rules, [&](auto v) {
        // One instantiation per board shape, for all rules on it.
        using V = decltype(v);
        return MovetextPlayer<typename V::Shape, typename V::Bits>(request, text.substr(0, end),
                                                                   begin)
            .run();
    });
}

}  // namespace damka::pdn
