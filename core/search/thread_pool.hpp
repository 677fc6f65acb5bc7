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
#include "search/search.hpp"
#include "search/time_manager.hpp"
#include "search/worker.hpp"

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
        table_.new_search();
        std::atomic<bool> halt{false};
        std::size_t threads =
            DAMKA_HAS_THREADS ? std::clamp<std::size_t>(task.threads, 1, kMaxThreads) : 1;
        Task thread_task = task;
        Limits& limits = thread_task.limits;
        limits.nodes = std::max<std::uint64_t>(limits.nodes / threads, 1);
        while (workers_.size() < threads) {
            workers_.push_back(
                std::make_unique<Worker<MoveGen>>(movegen_, rules_, draws_, table_, weights_));
        }
        AbdadaTable* const abdada = threads > 1 ? cleared_abdada() : nullptr;
        for (std::size_t i = 0; i < threads; ++i) {
            workers_[i]->begin(thread_task, signal, halt, i == 0 ? &observer : nullptr, abdada);
        }
        Worker<MoveGen>& worker = *workers_[0];
        Analysis best;
        if (worker.choices().empty()) {
            best.score = worker.end_of_game();
            return best;
        }
        {
            const Helpers helpers(*this, threads, limits.depth, halt);
            threads = helpers.count() + 1;
            deepen_main(worker, threads, limits, signal, observer, best);
        }
        best.nodes = 0;
        for (std::size_t i = 0; i < threads; ++i) best.nodes += workers_[i]->tree().nodes();
        best.seconds = worker.tree().seconds();
        return best;
    }

   private:
    AbdadaTable* cleared_abdada() {
        if (!abdada_) abdada_ = std::make_unique<AbdadaTable>();
        abdada_->clear();
        return abdada_.get();
    }

    // Runs helper threads during its lifetime. They fill the table; every other one searches a ply
    // deeper than the main thread.
    class Helpers {
       public:
#if DAMKA_HAS_THREADS
        Helpers(ThreadPool& pool, std::size_t threads, int depth, std::atomic<bool>& halt)
            : halt_(halt) {
            for (std::size_t i = 1; i < threads; ++i) {
                try {
                    helpers_.emplace_back([worker = pool.workers_[i].get(), depth, ahead = i % 2] {
                        int d = 1 + static_cast<int>(ahead);
                        while (d <= std::min(depth + 1, kMaxDepth) && worker->deepen(d)) ++d;
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

    void deepen_main(Worker<MoveGen>& worker, std::size_t threads, const Limits& limits,
                     const StopToken& signal, Observer& observer, Analysis& best) {
        TimeManager time(limits);
        best.line = {with_words<Wide>(worker.choices().front().move)};
        for (int depth = 1; depth <= std::min(limits.depth, kMaxDepth); ++depth) {
            const bool complete = worker.deepen(depth);
            // A partial depth counts once it has examined a choice.
            if (worker.has_result()) set_lines(worker, best);
            if (!complete) break;
            best.depth = depth;
            best.nodes = nodes(threads);
            best.seconds = worker.tree().seconds();
            observer.on_depth(best);
            // A win or loss within the searched depth is exact.
            if (kWin - std::abs(best.score) <= depth && best.others.empty()) break;
            time.update(best.line.front(), best.score);
            if (time.should_stop(best.seconds, worker.choices().size(), signal)) break;
        }
    }

    static void set_lines(const Worker<MoveGen>& worker, Analysis& best) {
        const auto words = [&worker](const auto& choice) {
            Variation v{worker.score_of(choice), {}};
            for (const auto& m : choice.line) v.line.push_back(with_words<Wide>(m));
            return v;
        };
        static_cast<Variation&>(best) = words(worker.choices().front());
        best.others.clear();
        for (std::size_t i = 1; i < worker.lines(); ++i) {
            best.others.push_back(words(worker.choices()[i]));
        }
    }

    // Usable while the helpers are running.
    std::uint64_t nodes(std::size_t threads) const {
        std::uint64_t sum = workers_[0]->tree().nodes();
        for (std::size_t i = 1; i < threads; ++i) sum += workers_[i]->tree().published_nodes();
        return sum;
    }

    const MoveGen movegen_;
    const Rules rules_;
    const DrawRules draws_;
    TranspositionTable& table_;
    const std::shared_ptr<const Weights> weights_;
    std::unique_ptr<AbdadaTable> abdada_;                    // for several threads
    std::vector<std::unique_ptr<Worker<MoveGen>>> workers_;  // one per thread
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
