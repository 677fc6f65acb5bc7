#include "pdn/lexer.hpp"

#include <algorithm>

namespace damka::pdn {

namespace {

struct Spelling {
    std::string_view text;
    char means;
};

// Characters used as a hyphen, a colon or the x of a capture: in UTF-8, then in single-byte
// encodings, which only count next to a square.
constexpr Spelling kSigns[] = {
    {"\xe2\x80\x93", '-'}, {"\xe2\x80\x94", '-'}, {"\xe2\x88\x92", '-'}, {"\xe2\x80\x90", '-'},
    {"\xe2\x80\x91", '-'}, {"\xe2\x80\x92", '-'}, {"\xe2\x80\x95", '-'}, {"\xef\xbc\x8d", '-'},
    {"\xef\xb9\xa3", '-'}, {"\xc3\x97", 'x'},     {"\xe2\x9c\x95", 'x'}, {"\xe2\x9c\x96", 'x'},
    {"\xe2\xa8\xaf", 'x'}, {"\xef\xbc\x9a", ':'}, {"\xe2\x88\xb6", ':'}, {"\xd1\x85", 'x'},
    {"\xd0\xa5", 'x'},     {"\x96", '-'},         {"\x97", '-'},         {"\xd7", 'x'},
    {"\xf5", 'x'},         {"\xd5", 'x'},
};

// Cyrillic letters that look like the letters of squares.
constexpr Spelling kLetters[] = {
    {"\xd0\xb0", 'a'}, {"\xd1\x81", 'c'}, {"\xd0\xb5", 'e'}, {"\xd0\x90", 'a'}, {"\xd0\x92", 'b'},
    {"\xd0\xa1", 'c'}, {"\xd0\x95", 'e'}, {"\xe0", 'a'},     {"\xf1", 'c'},     {"\xe5", 'e'},
};

// Ellipsis character.
constexpr std::string_view kEllipsis = "\xe2\x80\xa6";

// Maximum value of move numbers and NAGs.
constexpr int kMaxNumber = 100'000'000;

bool is_alnum(unsigned char c) noexcept { return is_digit(c) || is_letter(c); }
// Whether a byte belongs to a letter outside ASCII. Symbols such as those for a better position
// begin with 0xc2 or 0xe2 in UTF-8, and are below all letters in code pages.
bool is_high_letter(unsigned char c) noexcept { return c >= 0xc0 && c != 0xc2 && c != 0xe2; }
bool is_blank(unsigned char c) noexcept { return c == ' ' || c == '\t'; }

bool ends_line(char c) noexcept { return c == '\n' || c == '\r'; }

}  // namespace

std::size_t line_end(std::string_view text, std::size_t at) noexcept {
    constexpr std::size_t window = 1024;
    while (at < text.size()) {
        const auto part = text.substr(at, window);
        const std::size_t newline = part.find('\n');
        const std::size_t end = std::min(newline, part.substr(0, newline).find('\r'));
        if (end != std::string_view::npos) return at + end;
        at += part.size();
    }
    return text.size();
}

bool begins_line(std::string_view text, std::size_t at) noexcept {
    return at == 0 || ends_line(text[at - 1]);
}

std::size_t count_line_ends(std::string_view text) noexcept {
    std::size_t count = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool pair = text[i] == '\n' && i > 0 && text[i - 1] == '\r';
        count += ends_line(text[i]) && !pair;
    }
    return count;
}

std::size_t wide_space(std::string_view text, std::size_t at) noexcept {
    const auto byte = [&](std::size_t i) -> unsigned char {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
    };
    const unsigned char second = byte(at + 1);
    const unsigned char third = byte(at + 2);
    switch (byte(at)) {
        case 0xa0: return 1;
        case 0xc2: return second == 0xa0 ? 2 : 0;
        case 0xe2:
            // U+2000 to U+200F, U+2028, U+2029, U+202F; U+205F, U+2060
            if (second == 0x80) {
                const bool line = third == 0xa8 || third == 0xa9;
                return (third >= 0x80 && third < 0x90) || line || third == 0xaf ? 3 : 0;
            }
            return second == 0x81 && (third == 0x9f || third == 0xa0) ? 3 : 0;
        case 0xe3: return second == 0x80 && third == 0x80 ? 3 : 0;
        case 0xef: return second == 0xbb && third == 0xbf ? 3 : 0;
        default: return 0;
    }
}

bool tag_begins(std::string_view text, std::size_t at, bool bare) noexcept {
    const auto byte = [&](std::size_t i) -> unsigned char {
        return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
    };
    if (byte(at) != '[') return false;
    ++at;
    while (is_blank(byte(at))) ++at;
    if (!is_letter(byte(at))) return false;
    while (is_letter(byte(at)) || is_digit(byte(at)) || byte(at) == '_') ++at;
    if (!bare && !is_blank(byte(at)) && byte(at) != '"') return false;
    while (is_blank(byte(at))) ++at;
    return bare || byte(at) == '"';
}

std::size_t Lexer::skip_space(std::size_t at) const noexcept {
    for (;;) {
        while (at < text_.size() && is_space(byte(at))) ++at;
        const std::size_t wide = byte(at) < 0x80 ? 0 : wide_space(text_, at);
        if (!wide) return at;
        at += wide;
    }
}

// Whether a space begins here. A byte 0xa0 after another byte of that kind may be part of a letter.
bool Lexer::space_at(std::size_t at) const noexcept {
    const unsigned char c = byte(at);
    if (c < 0x80) return is_space(c);
    return (c != 0xa0 || at == 0 || byte(at - 1) < 0x80) && wide_space(text_, at) != 0;
}

std::size_t Lexer::skip_ignored(std::size_t at) const noexcept {
    for (;;) {
        at = skip_space(at);
        if (byte(at) != '%' || !begins_line(text_, at)) return at;
        at = line_end(text_, at);
    }
}

bool Lexer::ends_here() const noexcept {
    const std::size_t at = skip_ignored(at_);
    return at >= text_.size() || tag_begins(text_, at, false);
}

Lexer::Square Lexer::square_at(std::size_t at) const noexcept {
    const std::size_t begin = at;
    std::uint8_t file = 0;
    const unsigned char c = byte(at);
    if (c >= 'a' && c <= 'l') {
        file = static_cast<std::uint8_t>(c - 'a' + 1);
        ++at;
    } else if (c >= 'A' && c <= 'L') {
        file = static_cast<std::uint8_t>(c - 'A' + 1);
        ++at;
    } else if (c >= 0x80) {
        for (const Spelling& letter : kLetters) {
            if (!follows(at, letter.text)) continue;
            file = static_cast<std::uint8_t>(letter.means - 'a' + 1);
            at += letter.text.size();
            break;
        }
    }
    const std::size_t most = file ? 2 : 3;
    const std::size_t first = at;
    unsigned number = 0;
    while (is_digit(byte(at)) && at - first < most) number = 10 * number + byte(at++) - '0';
    if (at == first || (!file && is_digit(byte(at)))) return {{0, 0}, 0};
    return {{file, static_cast<std::uint16_t>(number)}, at - begin};
}

Lexer::Sign Lexer::sign_at(std::size_t at) const noexcept {
    const unsigned char c = byte(at);
    if (c == '-') return {'-', 1};
    if (c == 'x' || c == 'X') return {'x', 1};
    if (c == ':') return {':', 1};
    if (c < 0x80) return {};
    for (const Spelling& sign : kSigns) {
        if (follows(at, sign.text)) return {sign.means, sign.text.size()};
    }
    return {};
}

// Whether a move, a result or a number with a dot begins here.
bool Lexer::begins_token(std::size_t at) const noexcept {
    if (score_at(at)) return true;
    const Square first = square_at(at);
    if (!first.length) return false;
    const std::size_t then = at + first.length;
    if (sign_at(then).length) return true;
    return first.name.file ? square_at(then).name.file != 0 : byte(then) == '.';
}

// Whether a token that ends here is only the beginning of a word: letters or digits follow that
// do not begin another token.
bool Lexer::continues_word(std::size_t at) const noexcept {
    for (std::size_t i = at; i < text_.size(); ++i) {
        const unsigned char c = byte(i);
        if (space_at(i)) return false;
        switch (c) {
            case '{':
            case '(':
            case ')':
            case '[':
            case ';':
            case '<':
            case '/':
            case '$': return false;
            default: break;
        }
        if (is_alnum(c) || c == '_') return i == at || !begins_token(i);
    }
    return false;
}

// End of an unreadable word: a space or a bracket, except a bracket inside the word.
std::size_t Lexer::word_end(std::size_t begin) const noexcept {
    std::size_t end = begin + 1;
    for (; end < text_.size() && end - begin < kMaxTokenLength; ++end) {
        const unsigned char c = byte(end);
        if (space_at(end)) break;
        const bool bracket = c == '{' || c == '(' || c == '[' || c == ')';
        if (bracket && !(is_alnum(byte(end - 1)) && is_alnum(byte(end + 1)))) break;
    }
    return end;
}

void Lexer::finish(Kind kind, std::size_t end) noexcept {
    token_.kind = kind;
    token_.end = end;
    at_ = end;
}

void Lexer::fault(Fault fault, std::size_t begin, std::size_t end) noexcept {
    token_.kind = Kind::fault;
    token_.fault = fault;
    token_.begin = begin;
    token_.end = end;
    at_ = end;
}

void Lexer::comment() noexcept {
    const std::size_t begin = at_ + 1;
    for (std::size_t at = begin; at < text_.size(); ++at) {
        const char c = text_[at];
        if (c == '}') {
            token_.begin = begin;
            finish(Kind::comment, at);
            at_ = at + 1;
            return;
        }
        if (c == '{') return fault(Fault::nested_comment, at, at + 1);
        // The next game has begun, so the comment was not closed.
        if (c == '[' && begins_line(text_, at) && tag_begins(text_, at, false)) {
            return fault(Fault::open_comment, begin - 1, at);
        }
    }
    fault(Fault::open_comment, begin - 1, text_.size());
}

// Whether part of the text contains a move.
bool Lexer::holds_move(std::size_t begin, std::size_t end) const noexcept {
    for (std::size_t at = begin; at < end; ++at) {
        if (is_alnum(byte(at - 1))) continue;
        const Square first = square_at(at);
        const Sign sign = first.length ? sign_at(at + first.length) : Sign{};
        if (sign.length && square_at(at + first.length + sign.length).length) return true;
    }
    return false;
}

// A comment to the end of the line. Without a space on both sides it may be a typing error: moves
// in it are then reported.
void Lexer::line_comment() noexcept {
    const std::size_t end = line_end(text_, at_);
    token_.begin = at_ + 1;
    finish(Kind::comment, end);
    const bool apart = token_.at == 0 || is_space(byte(token_.at - 1));
    if (apart && (token_.begin >= end || is_space(byte(token_.begin)))) return;
    if (holds_move(token_.begin, end)) token_.fault = Fault::moves_in_comment;
}

// A line that begins with % is ignored; moves right after the % are reported.
bool Lexer::ignored_line() noexcept {
    const std::size_t end = line_end(text_, at_);
    const std::size_t begin = at_;
    at_ = end;
    if (is_space(byte(begin + 1)) || !holds_move(begin + 1, end)) return false;
    fault(Fault::moves_in_comment, begin, end);
    token_.kind = Kind::skipped;
    return true;
}

// The length of "1/2" or of the character for a half.
std::size_t Lexer::half_at(std::size_t at) const noexcept {
    if (follows(at, "1/2")) return 3;
    if (follows(at, "\xc2\xbd")) return 2;
    return byte(at) == 0xbd ? 1 : 0;
}

// The length of "1/2-1/2", "1/2" or "1.5-0.5", also with a colon.
std::size_t Lexer::score_at(std::size_t at) const noexcept {
    if (const std::size_t half = half_at(at)) {
        std::size_t then = at + half;
        while (is_blank(byte(then))) ++then;
        const Sign sign = sign_at(then);
        if (sign.length && sign.means != 'x') {
            then += sign.length;
            while (is_blank(byte(then))) ++then;
            if (const std::size_t other = half_at(then)) return then + other - at;
        }
        return half;
    }
    std::size_t then = at;
    for (int side = 0; side < 2; ++side) {
        if (side && byte(then) != '-' && byte(then) != ':') return 0;
        if (side) ++then;
        const std::size_t first = then;
        while (is_digit(byte(then)) && then - first < 3) ++then;
        if (then == first || !follows(then, ".5")) return 0;
        then += 2;
    }
    return is_digit(byte(then)) || byte(then) == '-' ? 0 : then - at;
}

// The captured squares listed after a move: <42, 29, 14, 31>.
void Lexer::captured_list() noexcept {
    std::size_t at = skip_space(at_);
    if (byte(at) != '<') return;
    ++at;
    Names list;
    for (;;) {
        at = skip_space(at);
        if (byte(at) == ',' || byte(at) == ';' || sign_at(at).length) {
            ++at;
            continue;
        }
        if (byte(at) == '>') break;
        const Square square = square_at(at);
        if (!square.length || !list.add(square.name)) return;
        at += square.length;
    }
    token_.captured = list;
    token_.end = at_ = at + 1;
}

bool Lexer::move(Square first) noexcept {
    std::size_t at = at_ + first.length;
    Names& squares = token_.squares;
    squares.add(first.name);
    bool spaces = false;
    bool plain = first.name.file == 0;
    char last = 0;  // the last sign
    std::size_t longest = first.length;
    for (;;) {
        std::size_t then = skip_space(at);
        const bool spaced = then != at;
        Sign sign = sign_at(then);
        // "32=28", "32*28"
        if (!sign.length && squares.size == 1 && !spaced) {
            const unsigned char odd = byte(then);
            if ((odd == '=' || odd == '*') && square_at(then + 1).length) sign = {'-', 1};
        }
        if (sign.length) {
            const std::size_t target = skip_space(then + sign.length);
            const Square square = square_at(target);
            if (!square.length) break;
            // "32-28 -19", "32-28 - 19-23": not a longer move.
            const bool uneven = spaced != (target != then + sign.length);
            if (squares.size > 1 && (uneven || (spaced && !sign.takes()))) break;
            spaces |= spaced || target != then + sign.length;
            token_.takes |= sign.takes();
            last = sign.means;
            longest = std::max(longest, square.length);
            plain &= square.name.file == 0;
            if (!squares.add(square.name)) break;
            at = target + square.length;
            continue;
        }
        // "a3b4": a letter begins the next square; "a3 b4": only if the move ends there.
        if (squares.names[squares.size - 1].file == 0 || (spaced && squares.size > 1)) break;
        Square square = square_at(then);
        if (spaced && square.length) {
            const std::size_t next = then + square.length;
            const bool is_final = squares.size == 1 && !sign_at(next).length &&
                                  !square_at(next).length && !continues_word(next);
            if (!is_final) square.length = 0;
            spaces = true;
        }
        if (!square.length || square.name.file == 0) break;
        plain = false;
        if (!squares.add(square.name)) break;
        at = then + square.length;
        if (spaced) break;
    }
    if (squares.size < 2) {
        squares.size = 0;
        token_.takes = false;
        return false;
    }
    const unsigned a = squares.names[0].number;
    const unsigned b = squares.names[1].number;
    const bool score = plain && squares.size == 2 && last != 'x';
    // With a colon only the usual results: 0:12 and 1:00 may be times, 5:5 a capture.
    const bool small = last == ':' ? longest == 1 && a + b <= 2 : a + b <= kMaxPoints;
    if (score && small && (a == 0 || b == 0 || a == b)) {
        token_.takes = false;
        finish(Kind::result, at);
    } else {
        token_.may_be_score = score && !spaces;
        finish(Kind::move, at);
    }
    check_word_end(token_.at);
    if (token_.kind == Kind::move) captured_list();
    return true;
}

// Turns the token into a fault if it is only the beginning of a word.
void Lexer::check_word_end(std::size_t begin) noexcept {
    if (space_at(at_) || !continues_word(at_)) return;
    token_.squares.size = 0;
    word(begin);
}

// An unreadable word: a fault if it has letters or digits, otherwise a skipped sign.
void Lexer::word(std::size_t begin) noexcept {
    const std::size_t end = word_end(begin);
    const auto text = text_.substr(begin, end - begin);
    const auto any = [&](auto is) {
        return std::any_of(text.begin(), text.end(),
                           [&](char c) { return is(static_cast<unsigned char>(c)); });
    };
    const bool letters = any([](unsigned char c) { return is_alnum(c) || is_high_letter(c); });
    // Signs attached before it belong to it, but no move number.
    const auto lead = text_.substr(token_.lead, token_.at - token_.lead);
    const bool signs = begin == token_.at && lead.find_first_of(".0123456789") == lead.npos;
    fault(letters ? Fault::unreadable : Fault::sign, signs ? token_.lead : begin, end);
    if (!letters) token_.kind = Kind::skipped;
}

// Dashes instead of a move, or the beginning of a word.
void Lexer::dash() noexcept {
    std::size_t end = at_;
    for (Sign sign = sign_at(end); sign.means == '-'; sign = sign_at(end)) {
        end += sign.length;
    }
    const unsigned char c = byte(end);
    if (end < text_.size() && !space_at(end) && c != ')' && c != '(' && c != '{') return word(at_);
    fault(Fault::unknown_move, at_, end);
    token_.kind = Kind::skipped;
}

// "3228": two numbers of two digits each.
bool Lexer::compact() noexcept {
    for (std::size_t i = 0; i < 4; ++i) {
        if (!is_digit(byte(at_ + i))) return false;
    }
    const unsigned char after = byte(at_ + 4);
    if (is_digit(after) || after == '.' || sign_at(at_ + 4).length) return false;
    const auto two = [&](std::size_t at) {
        return static_cast<std::uint16_t>(10 * (byte(at) - '0') + byte(at + 1) - '0');
    };
    token_.squares.add({0, two(at_)});
    token_.squares.add({0, two(at_ + 2)});
    finish(Kind::move, at_ + 4);
    check_word_end(token_.at);
    if (token_.kind == Kind::move) captured_list();
    return true;
}

bool Lexer::setup() noexcept {
    std::size_t at = at_ + 1;
    if (!follows(at, "FEN")) return false;
    at = skip_space(at + 3);
    if (byte(at) != '"') return false;
    const std::size_t begin = at + 1;
    const std::size_t end = text_.substr(0, begin + kMaxTokenLength).find('"', begin);
    if (end == std::string_view::npos) return false;
    const std::size_t last = skip_space(end + 1);
    if (byte(last) != '/') return false;
    token_.begin = begin;
    finish(Kind::setup, end);
    at_ = last + 1;
    return true;
}

// "*": the result of an unfinished game, or attached to a move the mark of a forced move.
void Lexer::star() noexcept {
    const unsigned char before = at_ ? byte(at_ - 1) : ' ';
    const bool attached = is_digit(before) || is_letter(before) || before == '!' || before == '?';
    ++at_;
    if (attached && !ends_here()) {
        token_.nag = kForcedMove;
        finish(Kind::nag, at_);
    } else {
        finish(Kind::result, at_);
    }
}

void Lexer::marks(std::size_t begin) noexcept {
    std::size_t at = begin;
    while (byte(at) == '!' || byte(at) == '?') ++at;
    const bool bad = byte(begin) == '?';
    if (at - begin == 1) {
        token_.nag = bad ? 2 : 1;
    } else if (byte(begin + 1) == byte(begin)) {
        token_.nag = bad ? 4 : 3;
    } else {
        token_.nag = bad ? 6 : 5;
    }
    finish(Kind::nag, at);
}

// "$" and a number. Another word after it is a fault if it may be a move.
void Lexer::annotation() noexcept {
    std::size_t at = at_ + 1;
    int nag = 0;
    for (; is_digit(byte(at)); ++at) {
        if (nag < kMaxNumber) nag = 10 * nag + byte(at) - '0';
    }
    if (at > at_ + 1 && nag < kMaxNumber) {
        token_.nag = nag;
        return finish(Kind::nag, at);
    }
    const unsigned char first = byte(at_ + 1);
    const bool word = first == '-' || first == '+' || is_letter(first) || first >= 0x80;
    if (word) at = word_end(at_);
    const auto text = text_.substr(at_, at - at_);
    const bool letters = std::any_of(
        text.begin(), text.end(), [](char c) { return is_letter(static_cast<unsigned char>(c)); });
    const bool skipped = !letters && !holds_move(at_ + 1, at);
    fault(Fault::unreadable, at_, at);
    if (skipped) token_.kind = Kind::skipped;
}

// A token that begins with a digit; false for a move number with its dots, which is skipped.
bool Lexer::number() noexcept {
    if (const std::size_t length = score_at(at_)) {
        finish(Kind::result, at_ + length);
        check_word_end(token_.at);
        return true;
    }
    if (compact()) return true;
    const Square first = square_at(at_);
    if (first.length && byte(at_ + first.length) != '.' && move(first)) return true;
    std::size_t end = at_;
    int value = 0;
    for (; is_digit(byte(end)); ++end) {
        if (value < kMaxNumber) value = 10 * value + byte(end) - '0';
    }
    const bool dots = byte(end) == '.' || follows(end, kEllipsis);
    if (dots) {
        while (byte(end) == '.' || follows(end, kEllipsis)) end += byte(end) == '.' ? 1 : 3;
        at_ = end;
        token_.number = value;
        return false;
    }
    const unsigned char after = byte(end);
    const bool delimited = end >= text_.size() || space_at(end) || after == '{' || after == '(' ||
                           after == ')' || after == '[' || after == ';';
    if (!delimited || (end < text_.size() && !space_at(end) && is_alnum(byte(end + 1)))) {
        word(at_);
        return true;
    }
    token_.nag = value;
    finish(Kind::number, end);
    return true;
}

const Token& Lexer::next() noexcept {
    token_.fault = Fault::none;
    token_.number = 0;
    token_.takes = token_.may_be_score = false;
    token_.squares.size = token_.captured.size = 0;
    std::size_t before = text_.size();  // end of the signs and numbers before the token
    for (;;) {
        at_ = skip_space(at_);
        token_.at = token_.begin = token_.end = at_;
        if (at_ != before) token_.lead = at_;
        if (byte(at_) == '%' && begins_line(text_, at_)) {
            if (ignored_line()) return token_;
            continue;
        }
        if (at_ >= text_.size()) {
            token_.kind = Kind::end;
            return token_;
        }
        const unsigned char c = byte(at_);
        if (is_digit(c)) {
            if (number()) return token_;
            before = at_;
            continue;
        }
        switch (c) {
            case '{': comment(); return token_;
            case ';': line_comment(); return token_;
            case '(':
                if (byte(at_ + 1) == '!' || byte(at_ + 1) == '?') {
                    marks(at_ + 1);
                    if (byte(at_) == ')') {
                        ++at_;
                        return token_;
                    }
                }
                finish(Kind::open, token_.begin + 1);
                return token_;
            case ')': finish(Kind::close, at_ + 1); return token_;
            case '!':
            case '?': marks(at_); return token_;
            case '*': star(); return token_;
            case '$': annotation(); return token_;
            case '/':
                if (setup()) return token_;
                break;
            case '[':
                if (byte(at_ + 1) == '%') {
                    const std::size_t end = text_.substr(0, at_ + kMaxTokenLength).find(']', at_);
                    if (end != std::string_view::npos) {
                        finish(Kind::comment, end + 1);
                        return token_;
                    }
                } else if (tag_begins(text_, at_, begins_line(text_, at_))) {
                    token_.kind = Kind::tag;
                    return token_;
                }
                break;
            // Dots without a number, and symbols that evaluate a position.
            case ',': ++at_; continue;
            case '.':
            case '+':
            case '=':
            case '~':
            case '#': before = ++at_; continue;
            case '-':
                // "+-" and "-+"
                if (byte(at_ + 1) != '+' && (at_ == 0 || byte(at_ - 1) != '+')) {
                    dash();
                    return token_;
                }
                before = ++at_;
                continue;
            default: break;
        }
        if (c >= 0x80) {
            if (follows(at_, kEllipsis)) {
                at_ += kEllipsis.size();
                continue;
            }
            if (half_at(at_)) {
                finish(Kind::result, at_ + score_at(at_));
                return token_;
            }
            if (const Sign sign = sign_at(at_); sign.length > 1 && sign.means == '-') {
                dash();
                return token_;
            }
        }
        const Square first = square_at(at_);
        if (first.length && move(first)) return token_;
        word(at_);
        return token_;
    }
}

}  // namespace damka::pdn
