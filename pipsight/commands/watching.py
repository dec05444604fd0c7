"""The commands `watch`, `referee` and `replay`: a table followed live, on a page or line by line, and logs again."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipsight.commands.naming import known, sides
from pipsight.config import PORT

if TYPE_CHECKING:
    from pathlib import Path

    from pipsight.config import Lights, Watching
    from pipsight.page.serving import Place
    from pipsight.sessions import Begun, Choice
    from pipsight.tables import Tables

FIRST = "0"  # the first camera of this machine
NO_CAMERA = "There is no camera: a film that comes along is played. Choose a camera on the page, or by --camera."
PAGE_CAMERA = (
    "There is no camera: the page waits for one. Press Camera there, then The camera of this device, "
    "or name one by --camera."
)


Source = Annotated[
    list[str] | None,
    typer.Option("--camera", metavar="SOURCE", help="0, 1, ...; an address, a film, a folder, page; one a table."),
]
Taught = Annotated[
    list[str] | None,
    typer.Option(
        "--taught", "--set", metavar="NAME", help="A set that you taught and that lies there; again for more."
    ),
]
Seats = Annotated[
    str,
    typer.Option(
        "--seats", metavar="SIDE,...", help="The sides of the picture where they sit, the first player first."
    ),
]
Players = Annotated[int | None, typer.Option("--players", min=1, help="How many play.")]
Port = Annotated[
    int | None, typer.Option("--port", min=0, max=65535, help=f"Where the page is, else {PORT}; 0 for any.")
]
Lan = Annotated[
    bool | None, typer.Option("--lan/--no-lan", help="Let other devices of the local network open the page.")
]
Json = Annotated[bool, typer.Option("--json", help="Print what happens, a line of JSON each; no page.")]
Voiced = Annotated[bool | None, typer.Option("--voice/--no-voice", help="Say aloud on this machine what happens.")]
Browser = Annotated[bool | None, typer.Option("--browser/--no-browser", help="Open the page.")]
Lit = Annotated[bool | None, typer.Option("--lights/--no-lights", help="Use the lights and buttons at a serial port.")]


def watch(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="The game; without one, choose on the page.")
    ] = None,
    problem: Annotated[
        str | None, typer.Option("--problem", metavar="N|FILE", help="The published problem, or a file that holds one.")
    ] = None,
    players: Players = None,
    variant: Annotated[str, typer.Option("--variant", help="The way to play it, where there are several.")] = "",
    seats: Seats = "",
    camera: Source = None,
    taught: Taught = None,
    port: Port = None,
    lan: Lan = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the newest unfinished game.")] = False,
    json: Json = False,
    voice: Voiced = None,
    browser: Browser = None,
    lights: Lit = None,
) -> None:
    """Follow a game on a real table, live on a web page of this machine.

    Without --camera it looks through the first camera of this machine. Where there is none, a game waits until you
    press Camera on the page, and without GAME a film that comes along is played. Every game is kept as it happens: what
    was cut off goes on by --resume, through the camera that it began with. What is not said here is taken from the
    tables watch and hardware of config.toml.

    Exit 0: the film is over, or ctrl-C ended it; 4: bad input.
    """
    from pipsight.config import load, require_taught
    from pipsight.sessions import Choice, newest_unfinished, taken_up

    if game is None and (problem, players, variant, seats) != (None, None, "", ""):
        told = "name the game that --problem, --players, --variant and --seats are about, or leave them out"
        raise typer.BadParameter(told, param_hint="GAME")
    newest = newest_unfinished() if resume else None
    if newest and game:
        told = f"the newest unfinished game, {newest.name}, goes on and names itself: leave GAME out"
        raise typer.BadParameter(told, param_hint="--resume")
    config = load()
    if not taught:
        require_taught(config.watch)
    ways = _ways(config.watch, camera=camera, taught=taught, port=port, lan=lan, voice=voice, browser=browser)
    lit = config.hardware if lights or (lights is None and config.hardware.enabled) else None
    places = sides(seats)
    many = players or len(places) or None
    choice = Choice(known(game), problem, many, variant, seats=places) if game else None
    source = next(iter(ways.camera), None)
    first = taken_up(newest) if newest else _begun(choice, source) if choice else None
    _follow(first, choice, _through_its_camera(ways, first), lit, json)


def referee(
    game: Annotated[str, typer.Argument(metavar="GAME", help="cobra-paw, the game in which the first finger decides.")],
    players: Players = None,
    seats: Seats = "",
    camera: Source = None,
    taught: Taught = None,
    port: Port = None,
    lan: Lan = None,
    json: Json = False,
    voice: Voiced = None,
    browser: Browser = None,
    lights: Lit = None,
) -> None:
    """Judge whose finger is first in Cobra Paw: the same as pipsight watch cobra_paw.

    Players sit where --seats says, else where pipsight calibrate table was told, and are as many. Else two sit at the
    bottom and the top of the picture; three at the bottom, left and right; four all around.

    Exit 0: the film is over, or ctrl-C ended it; 4: bad input.
    """
    from pipsight.opening import REFEREED
    from rules.games import meant

    if meant(game) != REFEREED:
        told = f"only cobra-paw has a referee, not {game}: follow other games by pipsight watch GAME"
        raise typer.BadParameter(told, param_hint="GAME")
    watch(
        game=REFEREED,
        players=players,
        seats=seats,
        camera=camera,
        taught=taught,
        port=port,
        lan=lan,
        json=json,
        voice=voice,
        browser=browser,
        lights=lights,
    )


def _begun(choice: Choice, source: str | None) -> Begun:
    """The game before a camera, its players where they sat as its table was calibrated, if nobody says otherwise."""
    from pipsight.cameras import seats_of
    from pipsight.sessions import begun
    from pipsight.sources import kept

    here = replace(choice, camera=kept(source)) if source else choice
    return begun(here.seated(seats_of(source or FIRST)))


def _ways(usual: Watching, camera: list[str] | None, taught: list[str] | None, **others: Any) -> Watching:
    """The ways of watching: what the command says, and for what it leaves out the usual ones."""
    asked: dict[str, Any] = {"camera": tuple(camera or ()) or None, "taught": tuple(taught or ()) or None, **others}
    return replace(usual, **{name: value for name, value in asked.items() if value is not None})


def _through_its_camera(ways: Watching, first: Begun | None) -> Watching:
    """The ways of watching, with the camera that a game began with which is taken up again, where none is named."""
    if first is None or ways.camera or not first.choice.camera:
        return ways
    print(f"It goes on through {first.choice.camera}, as it began: --camera names another.", file=sys.stderr)
    return replace(ways, camera=(first.choice.camera,))


def _follow(first: Begun | None, choice: Choice | None, ways: Watching, lit: Lights | None, json: bool) -> None:
    """Follow what is played until it is over or interrupted, line by line or on the page, and close its log."""
    from pipsight.leaving import interrupted_where_closed
    from pipsight.tables import Tables

    tables = Tables()
    try:
        with suppress(KeyboardInterrupt), interrupted_where_closed():  # no other end: what happened is in the log
            _printed(tables, first, ways, lit) if json else _served(tables, first, choice, ways, lit)
    finally:
        if first:
            first.close()
    with suppress(OSError):  # of a window that is closed nobody reads where the game is
        for path in tables.logs:
            _say_where(path)


def _say_where(path: Path) -> None:
    """Say where a game is kept in which something happened, and how it is told again and gone on with."""
    from pipsight.sessions import is_open

    if not path.is_file():
        return
    print(f"Kept: {path}\nTell it again with: pipsight replay {path.name}", file=sys.stderr, flush=True)
    if is_open(path):
        print("Go on with: pipsight watch --resume", file=sys.stderr, flush=True)


def _printed(tables: Tables, first: Begun | None, ways: Watching, lit: Lights | None) -> None:
    """Follow one table as fast as its camera gives frames, and print the events."""
    from pipsight.live_table import LiveTable
    from pipsight.sources import SAMPLE, is_page

    source, *others = ways.camera or [_first_camera() if first else SAMPLE]
    if others:
        raise typer.BadParameter("one table can be followed: name one --camera", param_hint="--json")
    if source is None:
        raise typer.BadParameter(
            "there is no camera: name one, as --camera 0 or --camera FILM.mp4", param_hint="--json"
        )
    if is_page(source):
        raise typer.BadParameter("there is no page that has a camera: name another one", param_hint="--camera")
    game = first or _sample(source)
    if game is None:
        raise typer.BadParameter("name the GAME that is played", param_hint="--json")
    table = LiveTable("1")
    tables.seat(table)
    try:
        table.know(ways.taught)
        table.join(lines := _Lines())
        table.play(game)
        if game.past:  # else it is told as the game begins
            lines.told(table.shown()["waits"])
        if lit:
            table.light(lit)
        table.follow(source)
    finally:
        tables.close()
        game.close()


class _Lines:
    """An `audience.Listener` that prints what happens, a line of JSON each."""

    def told(self, event: dict[str, Any]) -> None:
        """Print an event."""
        print(json.dumps(event, ensure_ascii=False), flush=True)

    def shown(self, view: dict[str, Any]) -> None:
        """A view is no event."""

    def pictured(self, number: int) -> None:
        """Nor is a picture."""


def _served(tables: Tables, first: Begun | None, choice: Choice | None, ways: Watching, lit: Lights | None) -> None:
    """Follow one table a camera, the others from the beginning of the same game, and serve the page.

    There is one controller: its lights and buttons are the first table's.
    """
    from pipsight.page.serving import listen, serve

    place = listen(ways.port, lan=ways.lan)
    try:
        for number, source in enumerate(ways.camera or [_found_camera(first)]):
            session = first if number == 0 else _begun(choice, source) if choice else None
            lights = lit if number == 0 else None
            table = tables.add(source, session or _sample(source), ways.taught, lights)
            if ways.voice:
                table.join(_voice())
        _invite(place, ways.browser)
        serve(tables, place)
    finally:
        tables.close()
        place.listening.close()


if TYPE_CHECKING:
    from pipsight.voice import Voice


def _voice() -> Voice:
    from pipsight.voice import Voice

    return Voice.found()


def _found_camera(first: Begun | None) -> str:
    """The first camera of this machine; else the page's own for a game, the film that comes along without one."""
    from pipsight.sources import PAGE, SAMPLE

    camera = _first_camera()
    if camera is None:
        print(PAGE_CAMERA if first else NO_CAMERA)
        return PAGE if first else SAMPLE
    return camera


def _first_camera() -> str | None:
    """The first camera of this machine; None where it has none."""
    from vision.camera import CameraError, open_camera

    try:
        open_camera(FIRST).close()
    except CameraError:
        return None
    return FIRST


def _sample(source: str) -> Begun | None:
    """The game of the film that comes along."""
    from pipsight.sessions import begun
    from pipsight.sources import SAMPLE, SAMPLE_CHOICE

    return begun(SAMPLE_CHOICE) if source == SAMPLE else None


def _invite(place: Place, browser: bool) -> None:
    """Say where the page is, and open it where somebody sits at a screen."""
    import webbrowser

    print(f"The page: {place.address}  (ctrl-C ends it)", flush=True)
    if place.invitation:
        import segno

        segno.make(place.invitation, micro=False).terminal(compact=True)
        print(f"On another device: {place.invitation}")
        print("Its browser warns of the certificate, which this machine made itself: go on to the page.", flush=True)
    if browser and sys.stdout.isatty():
        webbrowser.open(place.address)


def replay(
    log: Annotated[str, typer.Argument(metavar="LOG", help="The log of a session (.jsonl), or its name alone.")],
    page: Annotated[bool, typer.Option("--page", help="Play it on the page, as fast as it was played.")] = False,
    speed: Annotated[float, typer.Option("--speed", min=0.1, max=1000, help="How many times as fast.")] = 1.0,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Where the page is; 0 for any.")] = PORT,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page.")] = True,
) -> None:
    """Print what happened in a session, or play it again on the page.

    Exit 0: it was played to its end, or ctrl-C ended the page; 4: the log is damaged, and in which line.
    """
    from pipsight.commands.replaying import replayed, show_on_page
    from pipsight.leaving import interrupted_where_closed
    from pipsight.sessions import kept_log

    path = kept_log(log)
    if page:
        with suppress(KeyboardInterrupt), interrupted_where_closed():  # the page has no other end
            show_on_page(path, speed, port, lambda place: _invite(place, browser))
        return
    for line in replayed(path):
        print(line, flush=True)
