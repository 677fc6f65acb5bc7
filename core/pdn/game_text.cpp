#include "pdn/game_text.hpp"

#include <algorithm>

namespace damka::pdn {

namespace {

// Reads the tag that begins at `at`; returns its end.
std::size_t read_tag(std::string_view text, std::size_t at, Tag& tag) {
    const auto byte = [&](std::size_t i) { return i < text.size() ? text[i] : '\n'; };
    const auto skip = [&](std::size_t i) {
        while (byte(i) == ' ' || byte(i) == '\t') ++i;
        return i;
    };
    const std::size_t most = std::min(at + kLongestTag, text.size());
    const std::size_t line = std::min(text.substr(0, most).find('\n', at), most);
    at = skip(at + 1);
    const std::size_t name = at;
    while (is_letter(static_cast<unsigned char>(byte(at))) || byte(at) == '_' ||
           is_digit(static_cast<unsigned char>(byte(at)))) {
        ++at;
    }
    tag.name = text.substr(name, at - name);
    at = skip(at);
    const bool quoted = byte(at) == '"';
    if (quoted) ++at;
    // An unescaped quote inside the value is not followed by a bracket.
    for (const bool escapes : {true, false}) {
        if (!quoted) break;
        for (std::size_t i = at; i < line; ++i) {
            if (escapes && text[i] == '\\') {
                ++i;
            } else if (text[i] == '"' && byte(skip(i + 1)) == ']') {
                tag.value = text.substr(at, i - at);
                return skip(i + 1) + 1;
            }
        }
    }
    // Without quotes or a bracket, the value ends at the bracket or the end of the line.
    const std::size_t bracket = std::min(text.substr(0, line).find(']', at), line);
    std::size_t end = bracket;
    while (end > at && (is_space(static_cast<unsigned char>(text[end - 1])) ||
                        (quoted && text[end - 1] == '"'))) {
        --end;
    }
    tag.value = text.substr(at, end - at);
    return std::min(bracket + 1, text.size());
}

// End of a damaged tag that begins at `at`: a bracket, or the last quote of the line; 0 if there is
// no tag.
std::size_t damaged_tag_end(std::string_view text, std::size_t at) {
    std::size_t begin = at;
    while (begin > 0 && (text[begin - 1] == ' ' || text[begin - 1] == '\t')) --begin;
    const bool first = begin == 0 || text[begin - 1] == '\n';
    const auto rest = text.substr(at, kLongestTag);
    const auto line = rest.substr(0, std::min(rest.find('\n'), rest.size()));
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
            new_line = text.substr(from, token.at - from).find('\n') != std::string_view::npos;
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
        if (token.fault == Fault::nested_comment) lexer.go(token.begin);
    }
}

// Contents of a movetext up to the lexer's position.
struct MoveText {
    bool moves = false;   // or anything else than comments
    bool over = false;    // a result has been read
    bool ending = false;  // what follows the result belongs to the game
    int depth = 0;
};

}  // namespace

void find_game(std::string_view text, std::size_t at, bool final, GameText& game) {
    using State = GameText::State;
    // A token must not be truncated at the end of the available text.
    const std::size_t safe =
        final ? text.size() + 1 : text.size() - std::min(text.size(), kLongestToken);
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
            const std::size_t after = read_tag(text, where, tag);
            if (after >= safe) return;
            // Games without moves: a repeated tag, after an empty line.
            const bool again = std::any_of(game.tags.begin(), game.tags.end(),
                                           [&](const Tag& t) { return t.name == tag.name; });
            const auto gap = text.substr(last_tag, where - last_tag);
            if (again && std::count(gap.begin(), gap.end(), '\n') > 1) return stop(where, where);
            begin(where);
            if (game.tags.size() < kMostTags) {
                game.tags.push_back(tag);
            } else if (!full) {
                full = true;
                game.damages.push_back({Fault::too_many_tags, where, after});
            }
            game.moves = last_tag = after;
            lexer.go(after);
            continue;
        }
        if (token.kind == Kind::end) return stop(text.size(), text.size());
        // A damaged tag among the tags.
        const bool strange = token.kind == Kind::fault || token.kind == Kind::skipped ||
                             token.kind == Kind::open || token.kind == Kind::close;
        if (!seen.moves && !seen.over && strange) {
            const std::size_t end = damaged_tag_end(text, token.at);
            if (end >= safe) return;
            if (end) {
                begin(token.at);
                if (game.damages.size() < kMostTags) {
                    game.damages.push_back({Fault::tag, token.at, end});
                }
                game.moves = last_tag = end;
                lexer.go(end);
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
        if (token.fault == Fault::nested_comment) lexer.go(token.begin);
        if (token.kind == Kind::open) ++seen.depth;
        if (token.kind == Kind::close && seen.depth) --seen.depth;
        if (token.kind == Kind::result && seen.depth == 0) seen.over = true;
    }
}

}  // namespace damka::pdn
