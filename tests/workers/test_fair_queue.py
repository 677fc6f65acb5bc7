"""The queue shares the workers fairly between addresses, members and guests."""

from __future__ import annotations

from damka.workers import FairQueue, JobKind, Requester

Item = list[str]


def put(
    queue: FairQueue[Item],
    name: str,
    requester: Requester,
    cost: float = 10,
    kind: JobKind = "slow",
) -> None:
    # The queue knows its items by identity.
    queue.put([name], requester, kind, cost)


def taken(queue: FairQueue[Item], count: int) -> str:
    """Take `count` items, each finished at once."""
    names = []
    for _ in range(count):
        item = queue.take()
        assert item is not None
        names += item
        queue.done(item)
    return " ".join(names)


def test_addresses_take_turns() -> None:
    queue: FairQueue[Item] = FairQueue(1)
    for name in ("a1", "a2", "a3", "a4", "b1", "b2"):
        put(queue, name, Requester(name[0]))
    assert taken(queue, 6) == "a1 b1 a2 b2 a3 a4"


def test_cheap_jobs_go_first_and_expensive_ones_do_not_starve() -> None:
    queue: FairQueue[Item] = FairQueue(1)
    put(queue, "D", Requester("dear"), 4)
    for n in range(8):
        put(queue, f"c{n}", Requester("cheap"), 1)
    order = taken(queue, 9)
    assert order.startswith("c0 c1 c2 ")
    assert order.index("D") <= order.index("c4")


def test_a_new_address_neither_waits_for_the_queue_nor_accumulates_turns() -> None:
    queue: FairQueue[Item] = FairQueue(1)
    for n in range(100):
        put(queue, f"a{n}", Requester("a"))
    taken(queue, 10)
    for n in range(10):
        put(queue, f"b{n}", Requester("b"))
    order = taken(queue, 8).split()
    assert "b0" in order[:2]
    assert sum(name.startswith("b") for name in order) == 4


def test_guests_with_one_address_share_its_turns() -> None:
    queue: FairQueue[Item] = FairQueue(1)
    for n in range(4):
        put(queue, f"greedy{n}", Requester("school", person="greedy"))
    put(queue, "pupil", Requester("school", person="pupil"))
    for n in range(4):
        put(queue, f"home{n}", Requester("home"))
    order = taken(queue, 9).split()
    assert order.index("pupil") < order.index("greedy1")
    assert sum(name.startswith("home") for name in order[:4]) == 2


def test_many_cookies_or_addresses_gain_no_extra_share() -> None:
    """Neither many guests at one address nor one member at many gets more than one share."""
    queue: FairQueue[Item] = FairQueue(9)
    for n in range(20):
        put(queue, "cookies", Requester("a", person=f"guest {n}"))
        put(queue, "member", Requester(f"address {n}", account="m"))
        put(queue, "other", Requester("b", person="one"))
    order = taken(queue, 30).split()
    assert {name: order.count(name) for name in set(order)} == {
        "cookies": 10,
        "member": 10,
        "other": 10,
    }


def test_simultaneous_long_jobs_of_an_address_or_member_are_limited() -> None:
    queue: FairQueue[Item] = FairQueue(2)
    for n in range(3):
        put(queue, f"a{n}", Requester("a"))
        put(queue, f"m{n}", Requester(f"address {n}", account="m"))
    out = [item for _ in range(6) if (item := queue.take()) is not None]
    assert sorted(name for item in out for name in item) == ["a0", "a1", "m0", "m1"]
    queue.done(out[0])
    more = queue.take()
    assert more is not None
    assert more[0][0] == out[0][0][0]
    for n in range(3):
        put(queue, f"quick{n}", Requester("a"), 1, "quick")
    assert [queue.take() for _ in range(3)] == [["quick0"], ["quick1"], ["quick2"]]


def test_moves_have_priority_over_hints_and_hints_over_analyses() -> None:
    queue: FairQueue[Item] = FairQueue(9)
    for name, kind in (("analysis", "analysis"), ("hint", "hint"), ("move", "slow")):
        for _ in range(2):
            put(queue, name, Requester("a"), 10, kind)  # type: ignore[arg-type]
    order = taken(queue, 6).split()
    assert order[0] == "move"
    assert order[-3:].count("analysis") == 2


def test_a_discarded_job_is_not_taken() -> None:
    queue: FairQueue[Item] = FairQueue(1)
    one, two = ["one"], ["two"]
    queue.put(one, Requester("a"), "slow", 1)
    queue.put(two, Requester("a"), "slow", 1)
    assert queue.discard(one)
    assert not queue.discard(one)
    assert (len(queue), taken(queue, 1)) == (1, "two")


def test_only_jobs_that_fit_are_taken() -> None:
    queue: FairQueue[Item] = FairQueue(1)
    put(queue, "long", Requester("a"), 1)
    put(queue, "short", Requester("a"), 100, "quick")
    assert queue.take(lambda item: item == ["short"]) == ["short"]
    assert queue.take(lambda item: item == ["short"]) is None
