// Tokens of a game in Portable Draughts Notation, except those within tags.
//
// The syntax is liberal. Squares are numbers or a letter with a number; they are separated by "-",
// "x", ":", similar characters, "=" or "*" without spaces, spaces ("c3 d4"; play.cpp decides about
// two numbers), or nothing ("3228", "a3b4"). Lines end with "\n", "\r\n" or "\r". Letters outside
// ASCII are recognized in UTF-8 and, in squares, in the code pages for Western Europe and Cyrillic.
//
// Words with letters or digits are never skipped: they are faults, because they may be moves.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace damka::pdn {

enum class Kind : std::uint8_t {
    end,
    move,
    comment,  // {…}, ;… or [%…]; the text is the content
    nag,      // $n, or an annotation such as "!?"
    open,     // (
    close,    // )
    setup,    // /FEN "…"/; the text is inside the quotes
    result,
    tag,  // the beginning of a tag, which ends the game
    fault,
    number,   // a number without a dot: a move number, or a square
    skipped,  // a sign or a dash without a meaning
};

enum class Fault : std::uint8_t {
    none,
    nested_comment,
    open_comment,
    too_many_tags,
    unreadable,        // no PDN token
    no_square,         // a square outside the board
    illegal,           // an illegal move
    setup,             // an invalid position
    too_deep,          // nested variations
    too_many,          // moves
    too_complex,       // captures: too many to list
    tag,               // a damaged tag pair
    sign,              // a sign without a meaning here
    unknown_move,      // a dash instead of a move
    number,            // a number where no move number is possible
    ambiguous,         // intermediate squares that fit several captures
    open_variation,    // without its end
    extra_close,       // ) without a variation
    result_inside,     // a result followed by moves
    moves_in_comment,  // after ; or % without a space
    too_many_faults,
};

// A square in the text.
struct Name {
    std::uint8_t file;     // 0 for a number, 1 for a, 2 for b …
    std::uint16_t number;  // of the square, or of the row
};

// Upper bound on the squares of a move: a route over 72 squares, and its captures.
inline constexpr std::size_t kMaxNames = 80;
// Length limit of all tokens except comments.
inline constexpr std::size_t kMaxTokenLength = 1024;

// Points of both players in a micro-match together.
inline constexpr unsigned kMaxPoints = 24;

inline constexpr int kForcedMove = 7;  // the NAG of "*" after a move

struct Names {
    std::array<Name, kMaxNames> names;
    std::size_t size = 0;

    bool add(Name name) noexcept {
        if (size == kMaxNames) return false;
        names[size++] = name;
        return true;
    }
};

struct Token {
    Kind kind = Kind::end;
    Fault fault = Fault::none;
    bool takes = false;         // a move with the capture sign
    bool may_be_score = false;  // two numbers with - or :, possibly a result
    int nag = 0;                // or the value of a number
    int number = 0;             // the move number before it, as in "1."; 0 for none
    std::size_t at = 0;         // its offset
    std::size_t lead = 0;       // of the signs and numbers attached before it
    std::size_t begin = 0;      // its text, without braces or quotes
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
    void seek(std::size_t at) noexcept { at_ = at; }

    // Returns the end of the space and of the lines beginning with % at `at`.
    std::size_t skip_ignored(std::size_t at) const noexcept;

    // Whether only space and lines that begin with % follow, up to the end or a tag.
    bool ends_here() const noexcept;

   private:
    struct Square {
        Name name;
        std::size_t length;  // 0 for none
    };
    struct Sign {
        char means = 0;          // '-', 'x' or ':'
        std::size_t length = 0;  // 0 for none
        bool takes() const noexcept { return means == 'x' || means == ':'; }
    };

    unsigned char byte(std::size_t at) const noexcept {
        return at < text_.size() ? static_cast<unsigned char>(text_[at]) : 0;
    }
    bool follows(std::size_t at, std::string_view what) const noexcept {
        return text_.compare(at, what.size(), what) == 0;
    }
    std::size_t skip_space(std::size_t at) const noexcept;
    bool space_at(std::size_t at) const noexcept;
    Square square_at(std::size_t at) const noexcept;
    Sign sign_at(std::size_t at) const noexcept;
    std::size_t half_at(std::size_t at) const noexcept;
    std::size_t score_at(std::size_t at) const noexcept;

    bool begins_token(std::size_t at) const noexcept;
    bool continues_word(std::size_t at) const noexcept;
    std::size_t word_end(std::size_t begin) const noexcept;

    void finish(Kind kind, std::size_t end) noexcept;
    void fault(Fault fault, std::size_t begin, std::size_t end) noexcept;
    void comment() noexcept;
    bool holds_move(std::size_t begin, std::size_t end) const noexcept;
    void line_comment() noexcept;
    bool ignored_line() noexcept;
    bool move(Square first) noexcept;
    bool compact() noexcept;
    void annotation() noexcept;
    void captured_list() noexcept;
    bool setup() noexcept;
    void star() noexcept;
    void marks(std::size_t begin) noexcept;
    void dash() noexcept;
    void word(std::size_t begin) noexcept;
    bool number() noexcept;
    void check_word_end(std::size_t begin) noexcept;

    std::string_view text_;
    std::size_t at_;
    Token token_;
};

// Returns the offset of the end of the line at `at`, or of the text.
std::size_t line_end(std::string_view text, std::size_t at) noexcept;

// Whether a line begins at `at`.
bool begins_line(std::string_view text, std::size_t at) noexcept;

// Number of line ends: "\n", "\r\n" or "\r".
std::size_t count_line_ends(std::string_view text) noexcept;

// Length of a space outside ASCII, or of a byte order mark between concatenated files; 0 for none.
// In files without UTF-8 the no-break space has one byte.
std::size_t wide_space(std::string_view text, std::size_t at) noexcept;

// Whether a tag begins here: "[", a name, and a quote, or with `bare` anything else.
bool tag_begins(std::string_view text, std::size_t at, bool bare) noexcept;

// CP/M and DOS files may end with the first two.
inline bool is_space(unsigned char c) noexcept {
    return c == '\0' || c == 0x1a || c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' ||
           c == '\v';
}
inline bool is_digit(unsigned char c) noexcept { return c >= '0' && c <= '9'; }
inline bool is_letter(unsigned char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

}  // namespace damka::pdn
