"""Sessions on the disk: one is begun with its log, the newest that was not played to its end is taken up again."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pipsight.events import as_json
from pipsight.kept_games import games_folder, named_in, newest, there_are
from pipsight.opening import REFEREED, opening, require_as_written
from pipsight.places import state_folder
from pipsight.record import BadLog, FullDisk, InUse, Log, is_in_use, read_log
from pipsight.session import CannotResume, Session, resumed
from rules.cobra_paw.state import SIDES
from rules.puzzles import is_published, written

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipsight.record import Recorded
    from rules.game import Game
    from rules.table import TableSide


@dataclass(frozen=True)
class Choice:
    """What is played: a game, a published problem or a file with one, how many play, a variant.

    film: that in which it is played, where it comes along. camera: through which it goes on, "" for none of its own.
    text: what the file of the problem held as the game began; it may be another one, or gone, when the game goes on.
    seats: the sides of the picture where the players sit, where they do not sit as usual.
    """

    game: str
    problem: str | None = None
    players: int | None = None
    variant: str = ""
    film: str = ""
    camera: str = ""
    text: str = ""
    seats: tuple[TableSide, ...] = ()

    @property
    def with_text(self) -> Choice:
        """The same with the text of its file, where one is named. Raises BadProblem."""
        problem = self.problem or ""
        if not problem.strip() or self.text or is_published(self.game, problem):
            return self
        return replace(self, text=written(self.game, problem))

    @property
    def opening(self) -> tuple[Game[Any, Any], Any]:
        """The game, and the state in which it begins. Raises RulesError or CannotBegin."""
        return opening(self.game, self.problem, self.players, self.variant, self.text, self.seats)

    def seated(self, seats: Sequence[TableSide]) -> Choice:
        """The same with the players where a table says they sit, if it matters and nobody chose other seats."""
        matters = self.game == REFEREED and self.problem is None and len(seats) in SIDES
        if self.seats or not matters or self.players not in (None, len(seats)):
            return self
        return replace(self, players=len(seats), seats=tuple(seats))


class Begun(NamedTuple):
    """A session and what is played in it, its log, why it is not kept where it is not, and what happened before."""

    session: Session
    choice: Choice
    log: Log | None = None
    trouble: str = ""
    past: tuple[dict[str, Any], ...] = ()

    def close(self) -> None:
        """Let the log go; doing so twice is no harm."""
        if self.log:
            self.session.leave()
            self.log.close()


def folder() -> Path:
    """Where the logs of sessions lie; it need not exist yet."""
    return state_folder() / "sessions"


def kept_log(name: str) -> Path:
    """The log that is meant: a file, or the name of one in the folder of logs, or of a game that was left in text.

    Raises BadLog, which tells the newest logs, for the name of none.
    """
    path = Path(name)
    if path.exists() or path.name != name:
        return path
    found = named_in(folder(), name, ".jsonl") or named_in(games_folder(), name, ".json")
    if found is None:
        told = newest(folder(), ".jsonl")
        here = there_are(folder(), told) if told else f"none is kept in {folder()}, begin a game by pipsight watch GAME"
        raise BadLog(f"there is no log {name}: {here}")
    return found


def unlogged(choice: Choice) -> Begun:
    """A new session that is not kept. Raises RulesError or CannotBegin."""
    return Begun(Session(*choice.opening), choice)


def renewed(old: Begun) -> Begun:
    """The same game from its beginning, kept if it was."""
    return begun(old.choice) if old.log else unlogged(old.choice)


def begun(choice: Choice) -> Begun:
    """A new session with its log. Raises RulesError or CannotBegin; a full disk keeps nobody from playing."""
    choice = choice.with_text
    rules, start = choice.opening
    if choice.problem is not None:
        require_as_written(rules, start, choice.problem, choice.players, choice.variant)
    facts = {name: value for name, value in asdict(choice).items() if name != "game" and value}
    try:
        log = Log.begin(folder(), rules.info.slug, **facts)
    except FullDisk as full:
        return Begun(Session(rules, start), choice, trouble=f"{full}. The game is not kept")
    return Begun(Session(rules, start, log), choice, log)


def choice_of(recorded: Recorded) -> Choice:
    """What was played, by the first line of a log. Raises CannotResume."""
    facts = recorded.facts
    problem, players, variant = facts.get("problem"), facts.get("players"), facts.get("variant", "")
    seats = facts.get("seats")
    named = seats if isinstance(seats, list) else []
    if not recorded.slug:
        raise CannotResume("the log names no game")
    return Choice(
        recorded.slug,
        str(problem) if problem is not None else None,
        players if isinstance(players, int) else None,
        str(variant),
        camera=str(facts.get("camera", "")),
        text=str(facts.get("text", "")),
        seats=tuple(side for name in named for side in SIDES[4] if side == name),
    )


def taken_up(path: Path) -> Begun:
    """The session of a log where it stood, and the log, which goes on, after a pause too.

    Raises BadLog, CannotResume, RulesError, or InUse where another program plays it.
    """
    recorded = read_log(path)
    choice = choice_of(recorded)
    rules, start = choice.opening
    log = Log(path)
    session = resumed(recorded, Session(rules, start, log))
    past = (*recorded.entries, *(as_json(event, session.time_s) for event in session.go_on()))
    return Begun(session, choice, log, past=past)


def newest_unfinished() -> Path:
    """The newest log of a game on a real table that did not end, and that no other program plays just now.

    Raises BadLog where there is none, InUse where all are played.
    """
    logs = sorted(folder().glob("*.jsonl"), key=lambda path: path.stat().st_mtime, reverse=True)
    played = None
    for path in filter(is_open, logs):
        if not is_in_use(path):
            return path
        played = played or path
    if played:
        raise InUse(f"the game {played} is being played by another pipsight: end that one first")
    raise BadLog(f"there is no unfinished game in {folder()}: begin one by pipsight watch GAME")


def is_open(path: Path) -> bool:
    """Whether a log is of a game on a real table that began and did not end."""
    try:
        recorded = read_log(path)
    except BadLog:
        return False
    kinds = [entry.get("event") for entry in recorded.entries]
    played = [kind for kind in kinds if kind in ("began", "moved", "taken_back", "resynced", "over")]
    on_table = recorded.slug and not recorded.facts.get("film")
    return bool(on_table and played) and played[-1] != "over"
