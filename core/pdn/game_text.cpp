#include "pdn/game_text.hpp"

#include <algorithm>

namespace damka::pdn {

namespace {

// Reads the tag that begins at `at`; returns where it ends.
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
    // A quote inside that nobody has escaped is not followed by a bracket.
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
    // No quotes, or no bracket: up to the bracket or the end of the line.
    const std::size_t bracket = std::min(text.substr(0, line).find(']', at), line);
    std::size_t end = bracket;
    while (end > at && (is_space(static_cast<unsigned char>(text[end - 1])) ||
                        (quoted && text[end - 1] == '"'))) {
        --end;
    }
    tag.value = text.substr(at, end - at);
    return std::min(bracket + 1, text.size());
}

// Where a line begins with a tag, at `at` or after it.
std::size_t next_tag_line(std::string_view text, std::size_t at) {
    for (;;) {
        at = text.find('[', at);
        if (at == std::string_view::npos) return text.size();
        if ((at == 0 || text[at - 1] == '\n') && tag_begins(text, at, false)) return at;
        ++at;
    }
}

// Whether no more than comments follow, up to the end, a tag or a result.
bool ends_soon(Lexer lexer) {
    for (;;) {
        const Kind kind = lexer.next().kind;
        if (kind != Kind::comment) {
            return kind == Kind::end || kind == Kind::tag || kind == Kind::result;
        }
    }
}

// What stands in a movetext before its next game, so far as the lexer has come.
struct MoveText {
    bool moves = false;   // or anything else than comments
    bool over = false;    // a result has been read
    bool ending = false;  // what follows the result belongs to the game
    int depth = 0;
};

}  // namespace

void find_game(std::string_view text, std::size_t at, bool final, GameText& game) {
    using State = GameText::State;
    // A token must not be cut where the text at hand ends.
    const std::size_t safe =
        final ? text.size() + 1 : text.size() - std::min(text.size(), kLongestToken);
    game.tags.clear();
    game.fault = Fault::none;
    game.state = State::unfinished;
    Lexer lexer(text, at);
    bool begun = false;
    MoveText seen;
    const auto begin = [&](std::size_t where) {
        if (!begun) game.begin = game.moves = where;
        begun = true;
    };
    const auto stop = [&](std::size_t end, std::size_t next) {
        game.end = end;
        game.next = next;
        game.state = begun ? State::found : State::none;
    };
    const auto give_up = [&](Fault fault, std::size_t where, std::size_t after) {
        const std::size_t next = next_tag_line(text, after);
        if (next >= safe) return;
        game.fault = fault;
        game.fault_at = where;
        stop(next, next);
    };
    std::size_t last_tag = at;
    for (;;) {
        const std::size_t before = lexer.at();
        const Token& token = lexer.next();
        if (lexer.at() >= safe || (!final && token.kind == Kind::end)) return;
        if (token.kind == Kind::tag) {
            const std::size_t where = token.begin;
            if (seen.moves || (seen.over && begun)) return stop(where, where);
            Tag tag;
            const std::size_t after = read_tag(text, where, tag);
            if (after >= safe) return;
            // Games without moves: a tag again, after an empty line.
            const bool again = std::any_of(game.tags.begin(), game.tags.end(),
                                           [&](const Tag& t) { return t.name == tag.name; });
            const auto gap = text.substr(last_tag, where - last_tag);
            if (again && std::count(gap.begin(), gap.end(), '\n') > 1) return stop(where, where);
            begin(where);
            if (game.tags.size() == kMostTags) return give_up(Fault::too_many_tags, where, after);
            game.tags.push_back(tag);
            game.moves = last_tag = after;
            lexer.go(after);
            continue;
        }
        if (token.kind == Kind::end) return stop(text.size(), text.size());
        if (token.kind == Kind::comment) {
            // After the result it is the game's own, if nothing but the next game's tags follows.
            if (seen.over && !seen.ending && !ends_soon(lexer)) return stop(before, before);
            seen.ending = seen.over;
            begin(token.at);
            continue;
        }
        seen.ending = false;
        if (seen.over && token.kind != Kind::result) return stop(before, before);
        if (token.fault == Fault::nested_comment || token.fault == Fault::open_comment) {
            begin(token.at);
            return give_up(token.fault, token.begin, token.begin + 1);
        }
        begin(token.at);
        seen.moves = true;
        if (token.kind == Kind::open) ++seen.depth;
        if (token.kind == Kind::close && seen.depth) --seen.depth;
        if (token.kind == Kind::result && seen.depth == 0) seen.over = true;
    }
}

}  // namespace damka::pdn
