// The tokens of a game in Portable Draughts Notation: tags apart, what stands between them.
//
// Reading is liberal. Squares are numbers or a letter with a number; between them stand "-", "x",
// ":", signs that look like them, "=" or "*" without spaces, spaces ("c3 d4"; two numbers are left
// to the player), or nothing ("3228", "a3b4"). Letters that are not ASCII are known in UTF-8 and,
// where a square needs them, in the code pages for Western Europe and Cyrillic.
//
// Nothing with letters or digits is passed over: it is a fault, because it may have been a move.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace damka::pdn {

enum class Kind : std::uint8_t {
    end,
    move,
    comment,  // {…}, ;… or [%…]; the text is what is inside
    nag,      // $n, or a strength mark such as "!?"
    open,     // (
    close,    // )
    setup,    // /FEN "…"/; the text is what is inside the quotes
    result,
    tag,  // where a tag begins, which ends the game
    fault,
    number,   // a number without a dot: of a move, or a square
    skipped,  // a sign or a dash, which reading passes over
};

enum class Fault : std::uint8_t {
    none,
    nested_comment,
    open_comment,
    too_many_tags,
    unreadable,        // no token of PDN
    no_square,         // a square that the board has not
    illegal,           // a move that the rules forbid here
    setup,             // a position that cannot be read
    too_deep,          // variations
    too_many,          // moves
    too_complex,       // captures that are too many to list
    tag,               // a damaged tag pair
    sign,              // a sign that means nothing here
    unknown_move,      // a dash in place of a move
    number,            // a number where no number of a move may stand
    ambiguous,         // squares between that several captures have
    open_variation,    // that is not closed
    extra_close,       // ) without a variation
    result_inside,     // a result with moves after it
    moves_in_comment,  // after ; or % without a space
    too_many_faults,
};

// A square as it is written.
struct Name {
    std::uint8_t file;     // 0 for a number, 1 for a, 2 for b …
    std::uint16_t number;  // of the square, or of the row
};

// More squares than any move names: a route over 72 squares, and what it takes.
inline constexpr std::size_t kMostNames = 80;
// Every token but a comment is shorter.
inline constexpr std::size_t kLongestToken = 1024;

// Points of both players in a micro-match, taken together.
inline constexpr unsigned kMostPoints = 24;

inline constexpr int kForcedMove = 7;  // the NAG that "*" after a move stands for

struct Names {
    std::array<Name, kMostNames> names;
    std::size_t size = 0;

    bool add(Name name) noexcept {
        if (size == kMostNames) return false;
        names[size++] = name;
        return true;
    }
};

struct Token {
    Kind kind = Kind::end;
    Fault fault = Fault::none;
    bool takes = false;          // a move with the sign of a capture
    bool perhaps_score = false;  // two numbers with a hyphen, which may be a result as well
    int nag = 0;                 // or the value of a number
    int number = 0;              // the number with a dot before it; 0 for none
    std::size_t at = 0;          // where it stands
    std::size_t begin = 0;       // its text, without braces or quotes
    std::size_t end = 0;
    Names squares;   // of a move
    Names captured;  // listed after it in <…>
};

class Lexer {
   public:
    Lexer(std::string_view text, std::size_t at) noexcept : text_(text), at_(at) {}

    // Reads the next token.
    const Token& next() noexcept;

    std::size_t at() const noexcept { return at_; }
    void go(std::size_t at) noexcept { at_ = at; }

    // Returns the end of the space and of the lines beginning with % at `at`.
    std::size_t skip_ignored(std::size_t at) const noexcept;

    // Whether nothing but space and lines that begin with % follows, up to the end or a tag.
    bool ends_here() const noexcept;

   private:
    struct Square {
        Name name;
        std::size_t length;  // 0 for none
    };
    struct Sign {
        bool takes;
        std::size_t length;  // 0 for none
    };

    unsigned char byte(std::size_t at) const noexcept {
        return at < text_.size() ? static_cast<unsigned char>(text_[at]) : 0;
    }
    bool follows(std::size_t at, std::string_view what) const noexcept {
        return text_.compare(at, what.size(), what) == 0;
    }
    std::size_t skip_space(std::size_t at) const noexcept;
    Square square_at(std::size_t at) const noexcept;
    Sign sign_at(std::size_t at) const noexcept;
    std::size_t half_at(std::size_t at) const noexcept;
    std::size_t score_at(std::size_t at) const noexcept;

    bool begins_token(std::size_t at) const noexcept;
    bool runs_on(std::size_t at) const noexcept;
    std::size_t word_end(std::size_t begin) const noexcept;

    void finish(Kind kind, std::size_t end) noexcept;
    void fault(Fault fault, std::size_t begin, std::size_t end) noexcept;
    void comment() noexcept;
    bool holds_move(std::size_t begin, std::size_t end) const noexcept;
    void line_comment() noexcept;
    bool ignored_line() noexcept;
    bool move(Square first) noexcept;
    bool compact() noexcept;
    void captured_list() noexcept;
    bool setup() noexcept;
    void star() noexcept;
    void marks(std::size_t begin) noexcept;
    void dash() noexcept;
    void word(std::size_t begin) noexcept;
    bool number() noexcept;
    void checked(std::size_t begin) noexcept;

    std::string_view text_;
    std::size_t at_;
    Token token_;
};

// Whether a tag begins here: "[", a name, and a quote, or with `bare` something else.
bool tag_begins(std::string_view text, std::size_t at, bool bare) noexcept;

// A text of an old system may end with the first two.
inline bool is_space(unsigned char c) noexcept {
    return c == '\0' || c == 0x1a || c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' ||
           c == '\v';
}
inline bool is_digit(unsigned char c) noexcept { return c >= '0' && c <= '9'; }
inline bool is_letter(unsigned char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace damka::pdn
