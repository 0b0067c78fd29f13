"""The store library's own application tests, run with our mapper in the place of its own.

Its tests save stock aggregates, so the mapper under test hands those on to the library's and keeps
steps to itself, as a game's ledger would.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest
from eventsourcing.application import Application
from eventsourcing.cipher import AESCipher
from eventsourcing.compressor import ZlibCompressor
from eventsourcing.persistence import (
    JSONTranscoder,
    Mapper,
    MapperDeserialisationError,
    StoredEvent,
)
from eventsourcing.tests import application as suites
from eventsourcing.utils import Environment, get_topic, register_topic, resolve_topic

from events.ledger import Ledger
from events.mapper import INDEX, ListedGame, StepMapper, StoredStep, listed
from events.steps import Meta, Step, next_step


class HybridMapper(StepMapper):
    """Steps and games by our mapper, anything else by the library's."""

    def to_stored_event(self, domain_event: Any) -> StoredEvent:
        if isinstance(domain_event, StoredStep | ListedGame):
            return super().to_stored_event(domain_event)
        return Mapper.to_stored_event(self, domain_event)

    def to_domain_event(self, stored_event: StoredEvent) -> Any:
        if stored_event.topic in (StoredStep.TOPIC, ListedGame.TOPIC):
            return super().to_domain_event(stored_event)
        return Mapper.to_domain_event(self, stored_event)


register_topic("hybrid", HybridMapper)

STEP: Step = next_step("prologue", None, b'[{"type":"noted/1"}]', "0d" * 20, 1, Meta(5, "ann"))


class OnMemory:
    """Mixed into a suite: the environment in which it makes its applications."""

    expected_factory_topic = "eventsourcing.popo:POPOFactory"
    env: ClassVar[dict[str, str]] = {"PERSISTENCE_MODULE": "eventsourcing.popo"}

    @pytest.fixture(autouse=True)
    def environment(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setenv("MAPPER_TOPIC", "hybrid")
        monkeypatch.setenv("SQLITE_DBNAME", str(tmp_path / "suite.db"))
        for name, value in self.env.items():
            monkeypatch.setenv(name, value)


class OnSQLite(OnMemory):
    expected_factory_topic = "eventsourcing.sqlite:SQLiteFactory"
    env: ClassVar[dict[str, str]] = {"PERSISTENCE_MODULE": "eventsourcing.sqlite"}


class TestExampleOnMemory(OnMemory, suites.ExampleApplicationTestCase):
    def test_the_suite_runs_with_our_mapper(self) -> None:
        with Application[Any]() as app:
            assert type(app.mapper) is HybridMapper


class TestExampleOnSQLite(OnSQLite, suites.ExampleApplicationTestCase):
    pass


# One of the library's tests reads a deprecated attribute to see that it warns.
@pytest.mark.filterwarnings("default:'log' is deprecated:DeprecationWarning")
class TestApplicationOnMemory(OnMemory, suites.ApplicationTestCase):
    pass


@pytest.mark.filterwarnings("default:'log' is deprecated:DeprecationWarning")
class TestApplicationOnSQLite(OnSQLite, suites.ApplicationTestCase):
    pass


def mappers() -> Iterator[StepMapper]:
    env = Environment(env={"CIPHER_KEY": AESCipher.create_key(16)})
    for compressor in (None, ZlibCompressor()):
        for cipher in (None, AESCipher(env)):
            yield StepMapper(transcoder=JSONTranscoder(), compressor=compressor, cipher=cipher)


def test_a_step_goes_through_the_mapper_and_back() -> None:
    """Plain, compressed, enciphered and both."""
    for mapper in mappers():
        for event in (StoredStep("prologue", 1, STEP), listed("prologue")):
            stored = mapper.to_stored_event(event)
            assert mapper.to_domain_event(stored) == event
            assert (b'"prologue"' in stored.state or b"noted" in stored.state) == (
                mapper.cipher is None and (mapper.compressor is None)
            )


def test_topics_are_short_registered_names() -> None:
    for kind, name in ((StoredStep, "step"), (ListedGame, "game")):
        assert get_topic(kind) == name
        assert resolve_topic(name) is kind


@pytest.mark.parametrize("topic", ["step", "game"])
def test_a_row_that_cannot_be_read_is_the_librarys_error(topic: str) -> None:
    for mapper in mappers():
        broken = StoredEvent("prologue", 3, topic, b"\x00")
        with pytest.raises(MapperDeserialisationError, match="3"):
            mapper.to_domain_event(broken)


def test_the_ledgers_rows_are_those_of_the_librarys_event_store() -> None:
    """Appending below `Application.save` must leave nothing out."""
    with Ledger.memory() as ledger, Application[Any](env={"MAPPER_TOPIC": "hybrid"}) as app:
        # given the same step in a ledger and put by the library
        ledger.adopt("prologue", [STEP])
        app.events.put([StoredStep("prologue", 1, STEP), listed("prologue")])
        # then both hold the same rows, in the same order
        rows = [
            store.recorder.select_notifications(start=None, limit=10)
            for store in (ledger._store, app)
        ]
        assert rows[0] == rows[1]
        assert list(app.events.get("prologue")) == [StoredStep("prologue", 1, STEP)]
        assert list(app.events.get(INDEX)) == [listed("prologue")]
