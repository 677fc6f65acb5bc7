// The threads of one search: a main thread with the result, and helpers that share its table.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "memory/threads.hpp"
#include "movegen/movegen_for.hpp"
#include "search/abdada.hpp"
#include "search/root.hpp"
#include "search/search.hpp"
#include "search/time_manager.hpp"

#if DAMKA_HAS_THREADS
#include <system_error>
#include <thread>
#endif

namespace damka {

template <class MoveGen>
class ThreadPool : public Search {
   public:
    ThreadPool(const MoveGen& movegen, const Rules& rules, const DrawRules& draws,
               TranspositionTable& table, std::shared_ptr<const Weights> weights)
        : movegen_(movegen),
          rules_(rules),
          draws_(draws),
          table_(table),
          weights_(std::move(weights)) {}

    Analysis run(const Task& task, const StopToken& signal, Observer& observer) override {
        table_.grow_older();
        std::atomic<bool> halt{false};
        std::size_t threads =
            DAMKA_HAS_THREADS ? std::clamp<std::size_t>(task.threads, 1, kMaxThreads) : 1;
        Task share = task;
        Limits& limits = share.limits;
        limits.nodes = std::max<std::uint64_t>(limits.nodes / threads, 1);
        while (roots_.size() < threads) {
            roots_.push_back(
                std::make_unique<Worker<MoveGen>>(movegen_, rules_, draws_, table_, weights_));
        }
        AbdadaTable* const abdada = threads > 1 ? shared() : nullptr;
        for (std::size_t i = 0; i < threads; ++i) {
            roots_[i]->begin(share, signal, halt, i == 0 ? &observer : nullptr, abdada);
        }
        Worker<MoveGen>& root = *roots_[0];
        Analysis best;
        if (root.choices().empty()) {
            best.score = root.end_of_game();
            return best;
        }
        {
            const Helpers helpers(*this, threads, limits.depth, halt);
            threads = helpers.count() + 1;
            lead(root, threads, limits, signal, observer, best);
        }
        best.nodes = 0;
        for (std::size_t i = 0; i < threads; ++i) best.nodes += roots_[i]->tree().nodes();
        best.seconds = root.tree().seconds();
        return best;
    }

   private:
    AbdadaTable* shared() {
        if (!abdada_) abdada_ = std::make_unique<AbdadaTable>();
        abdada_->clear();
        return abdada_.get();
    }

    // Runs helper threads during its lifetime. They fill the table; every other one is a ply ahead
    // of the main thread.
    class Helpers {
       public:
#if DAMKA_HAS_THREADS
        Helpers(ThreadPool& pool, std::size_t threads, int depth, std::atomic<bool>& halt)
            : halt_(halt) {
            for (std::size_t i = 1; i < threads; ++i) {
                try {
                    helpers_.emplace_back([root = pool.roots_[i].get(), depth, ahead = i % 2] {
                        int d = 1 + static_cast<int>(ahead);
                        while (d <= std::min(depth + 1, kMaxDepth) && root->deepen(d)) ++d;
                    });
                } catch (const std::system_error&) {
                    break;  // continue with fewer threads
                }
            }
        }
        ~Helpers() {
            halt_.store(true, std::memory_order_relaxed);
            for (std::thread& helper : helpers_) helper.join();
        }
        Helpers(const Helpers&) = delete;
        Helpers& operator=(const Helpers&) = delete;

        std::size_t count() const { return helpers_.size(); }

       private:
        std::atomic<bool>& halt_;
        std::vector<std::thread> helpers_;
#else
        Helpers(ThreadPool&, std::size_t, int, std::atomic<bool>&) {}

        std::size_t count() const { return 0; }
#endif
    };

    void lead(Worker<MoveGen>& root, std::size_t threads, const Limits& limits,
              const StopToken& signal, Observer& observer, Analysis& best) {
        TimeManager pace(limits);
        best.line = {with_words<Wide>(root.choices().front().move)};
        for (int depth = 1; depth <= std::min(limits.depth, kMaxDepth); ++depth) {
            const bool complete = root.deepen(depth);
            // A partial depth counts once it has examined a choice.
            if (root.has_result()) report(root, best);
            if (!complete) break;
            best.depth = depth;
            best.nodes = nodes(threads);
            best.seconds = root.tree().seconds();
            observer.deeper(best);
            // A win or loss within the searched depth is exact.
            if (kWin - std::abs(best.score) <= depth && best.others.empty()) break;
            pace.deeper(best.line.front(), best.score);
            if (pace.enough(best.seconds, root.choices().size(), signal)) break;
        }
    }

    static void report(const Worker<MoveGen>& root, Analysis& best) {
        const auto words = [&root](const auto& choice) {
            Variation v{root.score_of(choice), {}};
            for (const auto& m : choice.line) v.line.push_back(with_words<Wide>(m));
            return v;
        };
        static_cast<Variation&>(best) = words(root.choices().front());
        best.others.clear();
        for (std::size_t i = 1; i < root.lines(); ++i) {
            best.others.push_back(words(root.choices()[i]));
        }
    }

    // Usable while the helpers are running.
    std::uint64_t nodes(std::size_t threads) const {
        std::uint64_t sum = roots_[0]->tree().nodes();
        for (std::size_t i = 1; i < threads; ++i) sum += roots_[i]->tree().published_nodes();
        return sum;
    }

    const MoveGen movegen_;
    const Rules rules_;
    const DrawRules draws_;
    TranspositionTable& table_;
    const std::shared_ptr<const Weights> weights_;
    std::unique_ptr<AbdadaTable> abdada_;                  // for several threads
    std::vector<std::unique_ptr<Worker<MoveGen>>> roots_;  // one per thread
};

// Instantiates the search for a generator.
#define DAMKA_SEARCH(MoveGen)                                                                   \
    template std::unique_ptr<Search> new_search<MoveGen>(const MoveGen&, const Rules&,          \
                                                         const DrawRules&, TranspositionTable&, \
                                                         std::shared_ptr<const Weights>);

template <class MoveGen>
std::unique_ptr<Search> new_search(const MoveGen& movegen, const Rules& rules,
                                   const DrawRules& draws, TranspositionTable& table,
                                   std::shared_ptr<const Weights> weights) {
    return std::make_unique<ThreadPool<MoveGen>>(movegen, rules, draws, table, std::move(weights));
}

}  // namespace damka
