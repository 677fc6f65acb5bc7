#include "pdn/game_text.hpp"

#include <algorithm>

namespace damka::pdn {

namespace {

std::size_t skip_blanks(std::string_view text, std::size_t at) {
    for (;;) {
        while (at < text.size() && (text[at] == ' ' || text[at] == '\t')) ++at;
        const std::size_t wide = wide_space(text, at);
        if (!wide) return at;
        at += wide;
    }
}

std::size_t skip_name(std::string_view text, std::size_t at) {
    for (; at < text.size(); ++at) {
        const auto c = static_cast<unsigned char>(text[at]);
        if (!is_letter(c) && !is_digit(c) && c != '_') break;
    }
    return at;
}

// Whether another tag begins after a quote that ends at `at`: [Name "value", or the name and value
// without the bracket.
bool next_tag_begins(std::string_view text, std::size_t at) {
    const std::size_t name = skip_blanks(text, at);
    if (tag_begins(text, name, false)) return true;
    const std::size_t end = skip_name(text, name);
    const std::size_t quote = skip_blanks(text, end);
    if (name == at || name == end || quote == end || text.substr(quote, 1) != "\"") return false;
    return text.substr(skip_blanks(text, quote + 1), 1) != "]";
}

// End of the value of a tag that continues after the end of its line, at `line`: the offset of its
// quote; 0 if another tag, an empty line or too much text comes first.
std::size_t continued_value_end(std::string_view text, std::size_t line) {
    text = text.substr(0, std::min(line + kMaxTokenLength, text.size()));
    while (line < text.size() && begins_line(text, line + 1)) {
        std::size_t at = line + 1;
        if (text[line] == '\r' && text.substr(at, 1) == "\n") ++at;
        line = line_end(text, at);
        const std::size_t first = skip_blanks(text, at);
        if (first >= line || text[first] == '[' || text[first] == '%') return 0;
        for (std::size_t i = first; i < line; ++i) {
            if (text[i] == '"') return text.substr(skip_blanks(text, i + 1), 1) == "]" ? i : 0;
            if (text[i] == '\\') ++i;
        }
    }
    return 0;
}

// Reads the tag that begins at `at`; returns its end. `damaged` is set if it is no complete pair.
std::size_t read_tag(std::string_view text, std::size_t at, Tag& tag, bool& damaged) {
    const std::size_t most = std::min(at + kMaxTagLength, text.size());
    const std::size_t line = line_end(text.substr(0, most), at);
    const std::string_view head = text.substr(0, line);
    const auto byte = [&](std::size_t i) { return i < line ? head[i] : '\n'; };
    const std::size_t name = skip_blanks(head, at + 1);
    at = skip_name(head, name);
    tag.name = head.substr(name, at - name);
    at = skip_blanks(head, at);
    damaged = false;
    if ((byte(at) == ':' || byte(at) == '=') && byte(skip_blanks(head, at + 1)) == '"') {
        damaged = true;
        at = skip_blanks(head, at + 1);
    }
    const bool quoted = byte(at) == '"';
    if (quoted) ++at;
    std::size_t closing = line;  // the quote before the next tag
    // An unescaped quote inside the value is not followed by a bracket.
    for (const bool escapes : {true, false}) {
        if (!quoted || closing != line) break;
        bool first = escapes;
        for (std::size_t i = at; i < line; ++i) {
            if (escapes && head[i] == '\\') {
                ++i;
            } else if (head[i] == '"') {
                const std::size_t then = skip_blanks(head, i + 1);
                if (byte(then) == ']') {
                    tag.value = head.substr(at, i - at);
                    return then + 1;
                }
                if (first && next_tag_begins(head, i + 1)) {
                    closing = i;
                    break;
                }
                first = false;
            }
        }
    }
    damaged = true;
    // The value ends at the next tag, at the bracket, at the last quote or at the end of the line.
    if (closing != line) {
        tag.value = head.substr(at, closing - at);
        const std::size_t next = skip_blanks(head, closing + 1);
        return byte(next) == '[' ? next : std::min(head.find(']', next), line - 1) + 1;
    }
    if (quoted && head.find_first_of("\"]", at) == std::string_view::npos) {
        if (const std::size_t quote = continued_value_end(text, line)) {
            tag.value = text.substr(at, quote - at);
            return skip_blanks(text, quote + 1) + 1;
        }
    }
    std::size_t end = std::min(head.find(']', at), line);
    std::size_t after = std::min(end + 1, line);
    if (quoted && end == line && head.rfind('"') >= at) {
        end = head.rfind('"');
        after = end + 1;
    }
    while (end > at && (is_space(static_cast<unsigned char>(head[end - 1])) ||
                        (quoted && head[end - 1] == '"'))) {
        --end;
    }
    tag.value = head.substr(at, end - at);
    return after;
}

// End of a damaged tag that begins at `at`: a bracket, or the last quote of the line; 0 if there is
// no tag.
std::size_t damaged_tag_end(std::string_view text, std::size_t at) {
    std::size_t begin = at;
    while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t')) --begin;
    const bool first = begins_line(text, begin);
    const auto rest = text.substr(at, kMaxTagLength);
    const auto line = rest.substr(0, line_end(rest, 0));
    const std::size_t bracket = line.find(']');
    const std::size_t quote = line.rfind('"');
    const bool closed = bracket != std::string_view::npos;
    const bool quoted = quote != std::string_view::npos;
    const auto part = line.substr(0, closed ? bracket + 1 : line.size());
    const bool empty = std::none_of(part.begin(), part.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return is_letter(byte) || is_digit(byte);
    });
    const bool open = text[at] == '[';
    const bool brackets = open || closed;
    std::size_t name = at + 1;
    while (name < text.size() && (text[name] == ' ' || text[name] == '\t')) ++name;
    const bool named =
        open && name < text.size() && is_letter(static_cast<unsigned char>(text[name]));
    // Letters precede a quote, at least if the bracket is missing.
    const auto head = line.substr(0, std::min(line.find('"'), line.size()));
    const bool lettered = std::any_of(
        head.begin(), head.end(), [](char c) { return is_letter(static_cast<unsigned char>(c)); });
    const bool headless = first && text[at] == '"' && at + 1 < text.size() &&
                          is_letter(static_cast<unsigned char>(text[at + 1]));
    if (quoted ? !open && !lettered && !headless : !(empty ? brackets : named && first)) return 0;
    if (closed) return at + bracket + 1;
    return at + (quoted ? quote + 1 : line.size());
}

// Whether only comments follow, up to the end, a tag or a result.
bool ends_soon(Lexer lexer) {
    for (;;) {
        const Kind kind = lexer.next().kind;
        if (kind != Kind::comment) {
            return kind == Kind::end || kind == Kind::tag || kind == Kind::result;
        }
    }
}

// Whether the text after a result without tags is another game. It begins with move 1, or on a new
// line with unnumbered moves. `safe` is the end of the complete text; `cut` is set if the decision
// depends on text beyond it.
bool game_begins(Lexer lexer, std::string_view text, std::size_t safe, bool& cut) {
    const std::size_t from = lexer.at();
    bool first = true;
    bool new_line = false;
    for (;;) {
        const Token& token = lexer.next();
        if (lexer.at() >= safe && safe <= text.size()) {
            cut = true;
            return false;
        }
        if (first) {
            new_line = count_line_ends(text.substr(from, token.at - from)) > 0;
        }
        first = false;
        if (token.number) return token.number == 1;
        switch (token.kind) {
            case Kind::number: return token.nag == 1;
            case Kind::setup: return true;
            case Kind::end:
            case Kind::tag:
            case Kind::result: return new_line;
            default: break;
        }
        if (token.fault == Fault::nested_comment) lexer.seek(token.begin);
    }
}

// Whether a tag is usually the first one of a game.
bool is_event(const Tag& tag) {
    constexpr std::string_view event = "event";
    return std::equal(tag.name.begin(), tag.name.end(), event.begin(), event.end(),
                      [](char a, char b) { return (a | 0x20) == b; });
}

// Contents of a movetext up to the lexer's position.
struct MoveText {
    bool moves = false;   // or any other token but comments
    bool over = false;    // a result has been read
    bool ending = false;  // what follows the result belongs to the game
    int depth = 0;
};

}  // namespace

void find_game(std::string_view text, std::size_t at, bool final, GameText& game) {
    using State = GameText::State;
    // A token must not be truncated at the end of the available text.
    const std::size_t safe =
        final ? text.size() + 1 : text.size() - std::min(text.size(), kMaxTokenLength);
    game.tags.clear();
    game.damages.clear();
    game.state = State::unfinished;
    Lexer lexer(text, at);
    bool begun = false;
    bool full = false;  // the maximum number of tags is reached
    MoveText seen;
    std::size_t before = at;
    const auto begin = [&](std::size_t where) {
        if (!begun) {
            // The number of the first move belongs to the game.
            game.begin = game.moves = std::min(where, lexer.skip_ignored(before));
        }
        begun = true;
    };
    const auto stop = [&](std::size_t end, std::size_t next) {
        game.end = end;
        game.next = next;
        game.state = begun ? State::found : State::none;
    };
    std::size_t last_tag = at;
    for (;;) {
        before = lexer.at();
        const Token& token = lexer.next();
        if (lexer.at() >= safe || (!final && token.kind == Kind::end)) return;
        if (token.kind == Kind::tag) {
            const std::size_t where = token.begin;
            if (seen.moves || (seen.over && begun)) return stop(where, where);
            Tag tag;
            bool damaged = false;
            const std::size_t after = read_tag(text, where, tag, damaged);
            if (after >= safe) return;
            // Games without moves: a repeated tag after an empty line; after damaged tags also
            // another one, if it is the first or the usual first one.
            const bool again = std::any_of(game.tags.begin(), game.tags.end(),
                                           [&](const Tag& t) { return t.name == tag.name; });
            const bool resumes = !game.damages.empty() && (game.tags.empty() || is_event(tag));
            const auto gap = text.substr(last_tag, where - last_tag);
            if ((again || resumes) && count_line_ends(gap) > 1) return stop(where, where);
            begin(where);
            if (damaged && game.damages.size() < kMaxTags) {
                game.damages.push_back({Fault::tag, where, after});
            }
            if (game.tags.size() < kMaxTags) {
                game.tags.push_back(tag);
            } else if (!full) {
                full = true;
                game.damages.push_back({Fault::too_many_tags, where, after});
            }
            game.moves = last_tag = after;
            lexer.seek(after);
            continue;
        }
        if (token.kind == Kind::end) return stop(text.size(), text.size());
        // A damaged tag among the tags.
        const bool unexpected = token.kind == Kind::fault || token.kind == Kind::skipped ||
                                token.kind == Kind::open || token.kind == Kind::close;
        if (!seen.moves && !seen.over && unexpected) {
            const std::size_t end = damaged_tag_end(text, token.at);
            if (end >= safe) return;
            if (end) {
                begin(token.at);
                if (game.damages.size() < kMaxTags) {
                    game.damages.push_back({Fault::tag, token.at, end});
                }
                game.moves = last_tag = end;
                lexer.seek(end);
                continue;
            }
        }
        if (token.kind == Kind::comment) {
            // After the result it belongs to the same game, if only the next game's tags follow.
            if (seen.over && !seen.ending && !ends_soon(lexer)) {
                bool cut = false;
                if (game_begins(lexer, text, safe, cut)) return stop(before, before);
                if (cut) return;
                seen.over = false;
                continue;
            }
            seen.ending = seen.over;
            begin(token.at);
            continue;
        }
        seen.ending = false;
        if (seen.over && token.kind != Kind::result) {
            bool cut = false;
            Lexer again(text, before);
            if (game_begins(again, text, safe, cut)) return stop(before, before);
            if (cut) return;
            seen.over = false;
        }
        begin(token.at);
        seen.moves = true;
        if (token.fault == Fault::nested_comment) lexer.seek(token.begin);
        if (token.kind == Kind::open) ++seen.depth;
        if (token.kind == Kind::close && seen.depth) --seen.depth;
        if (token.kind == Kind::result && seen.depth == 0) seen.over = true;
    }
}

}  // namespace damka::pdn
