"""The page and its WebSockets on uvicorn: what a browser may ask for, and where errors become words for it."""

from __future__ import annotations

import asyncio
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import uvicorn
from fastapi import FastAPI, Request, Response, WebSocket
from fastapi.responses import FileResponse, JSONResponse, PlainTextResponse
from fastapi.staticfiles import StaticFiles
from pydantic import BaseModel, ConfigDict, Field
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.exceptions import InvalidState

from calibration.errors import CalibrationError
from pipsight import __version__
from pipsight.cameras import seats_of
from pipsight.leaving import told_where_closed
from pipsight.live_table import NoPicture
from pipsight.opening import CannotBegin
from pipsight.page.access import COOKIE, UNPAIRED, Access
from pipsight.page.answers import REFUSED, FinishName, TableName
from pipsight.page.calibration_routes import add_calibration
from pipsight.page.choosing import games, known_problems, setup_svg
from pipsight.page.sockets import calibrate, follow, take_pictures
from pipsight.sessions import Choice, begun
from pipsight.sources import SAMPLE, SAMPLE_CHOICE, is_on_disk, kept
from pipsight.tables import NoTable
from pipsight.trouble import PipsightError, in_words, sentence
from rules.errors import RulesError
from rules.table import TableSide
from vision.errors import VisionError

if TYPE_CHECKING:
    import socket
    from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

    from starlette.types import ASGIApp, Receive, Scope, Send

    from pipsight.live_table import LiveTable
    from pipsight.tables import Tables

    Serving = Callable[[WebSocket], Awaitable[None]]

STATIC = Path(__file__).parent / "static"
CLOSED_UNPAIRED, CLOSED_UNKNOWN = 4401, 4404
POLICY = (
    "default-src 'self'; img-src 'self' blob: data:; connect-src 'self'; media-src 'self' blob:; "
    "style-src 'self'; script-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"
)
SAFE = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-cache"),
)
HERE = frozenset({"127.0.0.1", "::1"})


class Connection(WebSocketsSansIOProtocol):
    """A page's WebSocket, which may be closing already when the server stops."""

    def shutdown(self) -> None:
        """Say goodbye, if the page has not said it already (uvicorn 0.54 fails where it has)."""
        with suppress(InvalidState):
            super().shutdown()


class Server(uvicorn.Server):
    """Serves the tables until ctrl-C, a kill or a closed window; then nobody waits for what is still thought about."""

    def __init__(self, config: uvicorn.Config, tables: Tables) -> None:
        super().__init__(config)
        self._tables = tables

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Let a closed window end it as ctrl-C does: pages are told, and no request is cut off in the middle."""
        with told_where_closed(self.handle_exit), super().capture_signals():
            yield

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End: thinking first, for the answers to whoever waits for it are waited for."""
        for table in self._tables:
            table.leave_off()
        await super().shutdown(sockets)


class GameChoice(BaseModel):
    """What to play: a game, a published problem by its name, how many play, a variant, and where they sit."""

    model_config = ConfigDict(extra="forbid")
    game: str = Field(min_length=1, max_length=40)
    problem: str | None = Field(None, min_length=1, max_length=20)
    players: int | None = Field(None, ge=1, le=20)
    variant: str = Field("", max_length=60)
    seats: tuple[TableSide, ...] = Field((), max_length=4)


class CameraChoice(BaseModel):
    """What the table is seen through: "page", "sample", a number, an address, or a file or folder of this machine."""

    model_config = ConfigDict(extra="forbid")
    source: str = Field(min_length=1, max_length=500)


def application(tables: Tables, access: Access, address: str = "") -> FastAPI:
    """The page, its WebSockets, and what they ask for over HTTP, which /openapi.json describes.

    address: where others reach the page, token and all, which its QR code shows; "" where none may.
    """
    app = FastAPI(
        title="pipsight",
        version=__version__,
        description="A physical table companion for dominoes: its tables, live.",
        docs_url=None,
        redoc_url=None,
        lifespan=_lifespan(tables),
        responses={403: REFUSED[403]},
    )
    for kind in (PipsightError, RulesError, VisionError, CalibrationError):
        app.add_exception_handler(kind, _in_words)
    _page(app, access)
    _choosing(app, address)
    _tables(app, tables)
    _pictures(app, tables)
    add_calibration(app, tables)
    _sockets(app, tables)
    app.add_middleware(Guard, access=access)
    return app


def _lifespan(tables: Tables) -> Any:
    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        yield
        await asyncio.to_thread(tables.close)

    return lifespan


class Guard:
    """Lets in who may come in, and tells browsers to run nothing but the page's own scripts."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app, self._access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refusal = self._access.refusal(scope)
        if not refusal:
            await self._app(scope, receive, _guarded(send))
        elif scope["type"] == "http":
            told = PlainTextResponse(refusal, 403) if scope["path"] == "/" else JSONResponse({"detail": refusal}, 403)
            await told(scope, receive, send)
        else:
            await _refuse(WebSocket(scope, receive, send), refusal)


async def _refuse(socket: WebSocket, why: str) -> None:
    """A page of our own hears why; another's is not even answered."""
    if why == UNPAIRED:
        await socket.accept()
    await socket.close(CLOSED_UNPAIRED, why)


def _guarded(send: Send) -> Send:
    async def sending(message: Any) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], *SAFE]
        await send(message)

    return sending


def _in_words(_: Request, error: Exception) -> Response:
    code = 404 if isinstance(error, NoTable | NoPicture) else 409
    return JSONResponse({"detail": sentence(in_words(error) or "")}, code)


def _page(app: FastAPI, access: Access) -> None:
    @app.get("/", include_in_schema=False)
    def page(request: Request) -> Response:
        response = FileResponse(STATIC / "index.html")
        if access.token and request.query_params.get("token") == access.token:
            secure = request.url.scheme == "https"
            response.set_cookie(COOKIE, access.token, httponly=True, samesite="strict", secure=secure)
        return response

    app.mount("/static", StaticFiles(directory=STATIC), name="static")


def _choosing(app: FastAPI, address: str) -> None:
    @app.get("/api/games", summary="The games, and the published problems of each")
    def all_games() -> list[dict[str, Any]]:
        return list(games())

    @app.get(
        "/api/games/{game}/problems/{name}.svg",
        summary="The set-up of a published problem, to copy",
        response_class=Response,
        responses={200: {"content": {"image/svg+xml": {}}}, 409: REFUSED[409]},
    )
    def set_up(game: str, name: str) -> Response:
        return Response(setup_svg(game, name), media_type="image/svg+xml")

    @app.get("/api/invitation", summary="Where another device opens this page, and the QR code that says so")
    def invitation() -> dict[str, str]:
        import segno

        code = segno.make(address, micro=False).svg_inline(border=2, omitsize=True) if address else ""
        return {"address": address, "qr_svg": code}


def _tables(app: FastAPI, tables: Tables) -> None:
    @app.get("/api/tables", summary="The tables of this server")
    def all_tables() -> list[dict[str, Any]]:
        return [_brief(table.shown()) for table in tables]

    @app.post("/api/tables", summary="Add a table, watched through a camera", status_code=201, responses=REFUSED)
    def add(request: Request, choice: CameraChoice) -> dict[str, Any]:
        _may_open(request, choice.source)
        table = tables.add(choice.source, begun(SAMPLE_CHOICE) if choice.source == SAMPLE else None)
        return _brief(table.shown())

    @app.get("/api/tables/{table}", summary="A table as it stands", responses=REFUSED)
    def view_of(table: TableName) -> dict[str, Any]:
        return tables[table].shown()

    @app.post("/api/tables/{table}/game", summary="Begin a game", responses=REFUSED)
    def play(table: TableName, choice: GameChoice) -> dict[str, Any]:
        here = _to_choose_at(tables, table)
        if choice.problem is not None and choice.problem not in known_problems(choice.game):
            raise CannotBegin(f"there is no published problem {choice.problem} of {choice.game}")
        many = choice.players or len(choice.seats) or None
        chosen = Choice(choice.game, choice.problem, many, choice.variant, camera=kept(here.source), seats=choice.seats)
        game = begun(chosen.seated(seats_of(here.source)))
        with ExitStack() as undone:
            undone.callback(game.close)
            if here.source == SAMPLE:
                here.look_away()
            here.rewind()  # or the game would be set up for a film that shows no more
            here.play(game)
            undone.pop_all()
        return _brief(here.shown())

    @app.post("/api/tables/{table}/camera", summary="Look through another camera", responses=REFUSED)
    def watch(request: Request, table: TableName, choice: CameraChoice) -> dict[str, Any]:
        here = _to_choose_at(tables, table)
        _may_open(request, choice.source)
        if choice.source == SAMPLE:
            here.look_away()
            here.play(begun(SAMPLE_CHOICE))
        here.watch(choice.source)
        return _brief(here.shown())

    @app.post("/api/tables/{table}/again", summary="Play the film and its game again", responses=REFUSED)
    def again(table: TableName) -> dict[str, Any]:
        here = _to_choose_at(tables, table)
        here.again()
        return _brief(here.shown())


def _to_choose_at(tables: Tables, name: str) -> LiveTable:
    """A table at which something else is to be played or seen. Raises NoTable, or CannotBegin where it cannot."""
    table = tables[name]
    if table.fixed:
        raise CannotBegin(table.fixed)
    return table


def _brief(shown: dict[str, Any]) -> dict[str, Any]:
    return {name: shown[name] for name in ("table", "game", "title", "view", "camera", "sets")}


def _may_open(request: Request, source: str) -> None:
    """Files of this machine are for who sits at it. Raises CannotBegin."""
    if is_on_disk(source) and not (request.client and request.client.host in HERE):
        raise CannotBegin("files and folders are chosen on the machine that pipsight runs on")


def _pictures(app: FastAPI, tables: Tables) -> None:
    def answer(kind: str) -> dict[str, Any]:
        return {"response_class": Response, "responses": {200: {"content": {kind: {}}}, **REFUSED}}

    @app.get("/api/tables/{table}/picture.jpg", summary="The newest picture", **answer("image/jpeg"))
    def picture(table: TableName) -> Response:
        number, data = tables[table].picture()
        if not number:
            raise CannotBegin("the camera has not shown anything yet")
        return Response(data, media_type="image/jpeg")

    @app.get("/api/tables/{table}/clip.mp4", summary="The last seconds as a film", **answer("video/mp4"))
    def clip(table: TableName) -> Response:
        return Response(tables[table].clip(), media_type="video/mp4", headers=_saved(f"pipsight-table-{table}.mp4"))

    @app.get("/api/tables/{table}/finishes/{name}", summary="The pictures of a photo finish", **answer("image/jpeg"))
    def finish(table: TableName, name: FinishName) -> Response:
        return Response(tables[table].finish(name), media_type="image/jpeg")

    @app.get("/api/tables/{table}/moves.txt", summary="The moves so far", **answer("text/plain"))
    def moves(table: TableName) -> Response:
        shown = tables[table].shown()
        lines = [f"{number}. {made['move']} ({made['by']})" for number, made in enumerate(shown["moves"], 1)]
        told = "\n".join([shown["title"], *lines, ""])
        return PlainTextResponse(told, headers=_saved(f"pipsight-table-{table}.txt"))


def _saved(name: str) -> dict[str, str]:
    return {"content-disposition": f'attachment; filename="{name}"'}


def _sockets(app: FastAPI, tables: Tables) -> None:
    for path, serve in (("live", follow), ("camera", take_pictures), ("calibrate", calibrate)):
        app.add_api_websocket_route(f"/api/tables/{{table}}/{path}", _serving(tables, serve))


def _serving(tables: Tables, serve: Callable[[WebSocket, LiveTable], Awaitable[None]]) -> Serving:
    async def serving(socket: WebSocket) -> None:
        await socket.accept()
        try:
            table = tables[str(socket.path_params["table"])]
        except NoTable as none:
            await socket.close(CLOSED_UNKNOWN, sentence(str(none)))
            return
        await serve(socket, table)

    return serving
