"""What a page shows of one table: the reading in pixels, the board as understood, what is waited for, the moves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pipsight.drawing import svg
from pipsight.events import VERSION, Waits, as_json, faults_of
from rules.board import Cell
from rules.diagram import Diagram
from rules.game import Draws
from rules.players import Tells

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pipsight.look import Look
    from pipsight.onlooking import Onlooking
    from pipsight.session import Session
    from vision.scene import Scene, TileDetection


def view(session: Session) -> dict[str, Any]:
    """The table as it stands, in the plain types of JSON; docs/protocol.md names every part.

    Pixels are those of the camera's picture; cells are (row, column) of the table as it is seen.
    """
    follower, look = session.follower, session.look
    waits = follower.waits()
    faults = faults_of(follower.wrong)
    return {
        "v": VERSION,
        "view": follower.phase,
        "game": follower.game.info.slug,
        "title": follower.game.info.title,
        **_seen(look),
        "faults": [{"text": fault.text, "quads_px": quads_px(session, fault.cells)} for fault in faults],
        "waits": as_json(waits, session.time_s),
        "board_svg": board_svg(session),
        "told": follower.game.told(follower.state) if follower.states and isinstance(follower.game, Tells) else "",
        "moves": [{"move": made.move, "by": made.by} for made in follower.made],
        "paused": session.paused,
        "trouble": session.trouble,
    }


def onlooked(onlooking: Onlooking) -> dict[str, Any]:
    """The table before a game is chosen: what is read there, and nothing else."""
    tables = onlooking.look.tables
    return {
        "v": VERSION,
        "view": "choosing",
        "game": "",
        "title": "",
        **_seen(onlooking.look),
        "faults": [],
        "waits": as_json(Waits("Choose a game."), onlooking.time_s),
        "board_svg": svg(Diagram(tables[0])) if tables else "",
        "told": "",
        "moves": [],
        "paused": False,
        "trouble": onlooking.trouble,
    }


def _seen(look: Look) -> dict[str, Any]:
    """What the camera shows, in pixels."""
    return {
        "size_px": list(look.scene.size_px),
        "tiles": [_tile(tile, k in look.covered) for k, tile in enumerate(look.scene.tiles)],
        "dice": [{"at_px": _point(die.center_px), "value": die.value} for die in look.scene.dice],
        "pieces": _pieces(look.scene),
        "advice": list(look.scene.advice),
    }


def board_svg(session: Session) -> str:
    """The board as the program understands it; while the table is set up, as it should be laid."""
    follower = session.follower
    state = follower.state
    if state is not None and isinstance(follower.game, Draws):
        return svg(follower.game.diagram(state))
    return svg(Diagram(session.look.tables[0])) if session.look.tables else ""


def _tile(tile: TileDetection, covered: bool) -> dict[str, Any]:
    return {
        "corners_px": [_point(point) for point in tile.corners_px],
        "centers_px": [_point(point) for point in tile.centers_px],
        "pips": list(tile.pips),
        "face_up": tile.face_up,
        "confidence": round(tile.confidence, 3),
        "doubtful": tile.doubtful,
        "why": tile.why,
        "others": [list(other) for other in tile.others],
        "covered": covered,
    }


def _pieces(scene: Scene) -> list[dict[str, Any]]:
    kinds = (("pawn", scene.pawns), ("token", scene.tokens))
    standing = [
        {"kind": kind, "at_px": _point(one.center_px), "color": list(one.color)} for kind, some in kinds for one in some
    ]
    lying = [
        {"kind": "tetromino", "at_px": _point(center), "light": one.light}
        for one in scene.tetrominoes
        for center in one.centers_px
    ]
    return [*standing, *lying]


def quads_px(session: Session, cells: Iterable[tuple[int, int]]) -> list[list[list[float]]]:
    """Where cells of the table lie in the picture."""
    rebuilt = session.look.rebuilt
    return [[_point(point) for point in rebuilt.quad_px(Cell(*cell))] for cell in cells] if rebuilt else []


def _point(point: tuple[float, float]) -> list[float]:
    return [round(float(point[0]), 1), round(float(point[1]), 1)]
