"""What a page shows of one table: the reading in pixels, the board as understood, what is waited for, the moves."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pipsight.drawing import svg
from pipsight.events import VERSION, Waits, as_json, faults_of, places
from pipsight.page.on_the_clock import on_the_clock
from rules.board import Cell
from rules.diagram import Diagram
from rules.foreseen import promised
from rules.game import Draws, Slips
from rules.players import Tells, is_contest
from rules.table import Table
from vision.pieces import PRESENT

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pipsight.look import Look
    from pipsight.onlooking import Onlooking
    from pipsight.session import Session
    from vision.scene import PawnDetection, Scene, TetrominoDetection, TileDetection

LOWEST_SET = 6  # a puzzle may use a few dominoes of a double-six set
HIGHEST = 12  # of the sets that are sold; whoever has a larger one types the number


def view(
    session: Session, lit: Sequence[tuple[int, int]] = (), hinted: Sequence[tuple[int, int]] = ()
) -> dict[str, Any]:
    """The table as it stands, in the plain types of JSON; docs/protocol.md names every part.

    Pixels are those of the camera's picture; cells are (row, column) of the table as it is seen. lit: the cells of the
    board that a hint or a move points at; hinted: those of a hint, which the drawn board shows too.
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
        "lit_px": quads_px(session, _on_table(session, lit)),
        "hands": _hands(session),
        "board_svg": board_svg(session, hinted),
        "board_says": _drawn(session).caption,
        "lay_this": follower.awaited is not None and not _drawn(session).blank,
        "contest": is_contest(follower.game),
        "highest": _highest(session),
        **on_the_clock(follower),
        "told": follower.game.told(follower.state) if follower.states and isinstance(follower.game, Tells) else "",
        "moves": [{"move": made.move, "by": made.by} for made in follower.made],
        "paused": session.paused,
        "trouble": session.trouble,
    }


def onlooked(onlooking: Onlooking) -> dict[str, Any]:
    """The table before a game is chosen: what is read there, and nothing else."""
    return {
        "v": VERSION,
        "view": "choosing",
        "game": "",
        "title": "",
        **_seen(onlooking.look),
        "faults": [],
        "waits": as_json(Waits("Choose a game."), onlooking.time_s),
        "lit_px": [],
        "hands": [],
        "board_svg": _lying(onlooking.look),
        "board_says": "",
        "lay_this": False,
        "contest": False,
        "highest": HIGHEST,
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
        "dice": [
            {"at_px": _point(die.center_px), "value": die.value, "doubtful": die.doubtful} for die in look.scene.dice
        ],
        "pieces": _pieces(look.scene),
        "advice": list(look.scene.advice),
    }


def board_svg(session: Session, lit: Sequence[tuple[int, int]] = ()) -> str:
    """The board as the program understands it; while the table is set up, as it should be laid. lit: cells to light."""
    diagram = _drawn(session)
    if diagram.blank:
        return _lying(session.look)  # as of a line that is still empty: who has something lying there has to see it
    return svg(replace(diagram, marked=(*diagram.marked, *(Cell(*cell) for cell in lit)), caption=""))


def _drawn(session: Session) -> Diagram:
    """The position as its game draws it; blank for a game that draws none, and before there is a position."""
    game, state = session.follower.game, session.follower.state
    return game.diagram(state) if state is not None and isinstance(game, Draws) else Diagram()


def _lying(look: Look) -> str:
    """What lies there, drawn; "" for a table without dominoes that have a place."""
    table = look.tables[0] if look.tables else Table()
    if look.rebuilt and len(table.chain.tiles) > len(table.board.placed):
        table = look.rebuilt.scattered  # half of such a line lies on no cells
    return svg(Diagram(table)) if table.board.placed or table.spots or table.face_down or table.loose else ""


def _on_table(session: Session, cells: Iterable[tuple[int, int]]) -> Iterable[tuple[int, int]]:
    """Where cells of the state lie on the table that is seen."""
    game, state = session.follower.game, session.follower.state
    if state is None or not isinstance(game, Slips):
        return cells
    return places([game.on_table(state, state, Cell(*cell)) for cell in cells])


def _highest(session: Session) -> int:
    """The most pips of a half in the set that the game takes."""
    tables = session.look.tables
    found = promised(session.follower.game, tables[0], session.follower.state) if tables else ()
    return max(LOWEST_SET, *(domino.high for domino in found)) if found else HIGHEST


def _hands(session: Session) -> list[dict[str, Any]]:
    """The hands that the referee sees, with their fingertips and the side from which each comes."""
    referee = session.referee
    if referee is None:
        return []
    return [
        {
            "outline_px": [_point(point) for point in hand.outline_px],
            "tips_px": [_point(point) for point in hand.tips_px],
            "side": side,
        }
        for hand, side in zip(referee.hands, referee.sides, strict=True)
    ]


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
        "changed_from": list(tile.changed_from) if tile.changed_from else None,
        "covered": covered,
        "set": tile.of_set,
    }


def _pieces(scene: Scene) -> list[dict[str, Any]]:
    kinds = (("pawn", scene.pawns), ("token", scene.tokens))
    standing = [
        {"kind": kind, "at_px": _point(one.center_px), "color": list(one.color), "doubtful": _faint(kind, one)}
        for kind, some in kinds
        for one in some
    ]
    lying = [
        {"kind": "tetromino", "at_px": _point(center), "light": one.light, "doubtful": _faint("tetromino", one)}
        for one in scene.tetrominoes
        for center in one.centers_px
    ]
    return [*standing, *lying]


def _faint(kind: str, piece: PawnDetection | TetrominoDetection) -> bool:
    """Whether a piece is told of only because the game expects one."""
    return piece.confidence < PRESENT[kind]


def quads_px(session: Session, cells: Iterable[tuple[int, int]]) -> list[list[list[float]]]:
    """Where cells of the table lie in the picture."""
    rebuilt = session.look.rebuilt
    return [[_point(point) for point in rebuilt.quad_px(Cell(*cell))] for cell in cells] if rebuilt else []


def _point(point: tuple[float, float]) -> list[float]:
    return [round(float(point[0]), 1), round(float(point[1]), 1)]
