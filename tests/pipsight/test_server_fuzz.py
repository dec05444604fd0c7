"""The HTTP part keeps to its own description, whatever schemathesis makes of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.schemas import BaseSchema
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

from pipsight.page.access import Access
from pipsight.server import application
from pipsight.sessions import taken_up
from pipsight.sources import PAGE
from pipsight.tables import Tables
from tests.pipsight.pages import begun_log

pytestmark = pytest.mark.needs("cv2")


@pytest.fixture
def described(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[BaseSchema]:
    """The description of a server with one table."""
    monkeypatch.setenv("PIPSIGHT_HOME", str(tmp_path))
    tables = Tables()
    tables.add(PAGE, taken_up(begun_log(tmp_path / "state" / "sessions")))
    app = application(tables, Access(frozenset({"testserver"})))
    yield schemathesis.openapi.from_asgi("/openapi.json", app)
    tables.close()


CHECKS = [not_a_server_error, status_code_conformance, response_schema_conformance]


def test_every_answer_is_as_described(described: BaseSchema) -> None:
    for found in described.get_all_operations():
        assert isinstance(found, Ok)

        @settings(max_examples=8, suppress_health_check=list(HealthCheck))
        @given(found.ok().as_strategy())
        def answered(case: Any) -> None:
            case.call_and_validate(checks=CHECKS)

        answered()
