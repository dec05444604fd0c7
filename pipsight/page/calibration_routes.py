"""What the page asks for beside a wizard: the sheet to print, what is known of a camera, the sets that were taught."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from fastapi import Response
from pydantic import BaseModel, ConfigDict, Field

from pipsight.calling import known_of
from pipsight.cameras import known_lines
from pipsight.page.answers import REFUSED, TableName
from pipsight.sets import all_sets

if TYPE_CHECKING:
    from fastapi import FastAPI

    from calibration.tileset import TileSet
    from pipsight.tables import Tables

Sheet = Literal["sheet-a4", "sheet-letter", "tags-a4", "tags-letter"]


class SetsChoice(BaseModel):
    """The taught sets that lie on the table, by their names; none where nobody taught them."""

    model_config = ConfigDict(extra="forbid")
    sets: list[str] = Field(max_length=20)


def add_calibration(app: FastAPI, tables: Tables) -> None:
    """Let a server answer these too."""

    @app.get("/api/sets", summary="The sets that were taught, what each lacks and what it has twice", responses=REFUSED)
    def taught() -> list[dict[str, Any]]:
        return [_told(name, one) for name, one in all_sets()]

    @app.post("/api/tables/{table}/sets", summary="Say which taught sets lie on a table", responses=REFUSED)
    def lay(table: TableName, choice: SetsChoice) -> dict[str, Any]:
        here = tables[table]
        here.know(choice.sets)
        return {"table": table, "sets": here.shown()["sets"]}

    @app.get("/api/tables/{table}/calibration", summary="What is known of a table's camera", responses=REFUSED)
    def known(table: TableName) -> dict[str, Any]:
        camera = tables[table].shown()["camera"]
        return {"camera": camera["name"], "lines": list(known_lines(camera["source"])) if camera["source"] else []}

    @app.get(
        "/api/sheets/{name}.pdf",
        summary="The sheet to print, or the four tags for the table's corners",
        response_class=Response,
        responses={200: {"content": {"application/pdf": {}}}},
    )
    def sheet_to_print(name: Sheet) -> Response:
        from calibration import sheet

        what, _, paper = name.partition("-")
        page = sheet.sheet(paper) if what == "sheet" else sheet.tag_sheet(paper)
        saved = {"content-disposition": f'inline; filename="pipsight-{name}.pdf"'}
        return Response(sheet.pdf(page), media_type="application/pdf", headers=saved)


def _told(name: str, one: TileSet | str) -> dict[str, Any]:
    """A set as a page lists it; its highest number is null where its file cannot be used, and the line says why."""
    if isinstance(one, str):
        return {"name": name, "highest": None, "lines": [one]}
    return {"name": name, "highest": one.highest, "lines": list(known_of(one))}
