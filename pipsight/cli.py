"""The commands; expected trouble ends one with one line on stderr and exit 4."""

from __future__ import annotations

import sys
import traceback
from enum import Enum
from io import StringIO, TextIOWrapper
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from pipsight import __version__
from pipsight.commands import timing, watching
from pipsight.commands.calibrating import app as calibrate_app
from pipsight.commands.controller import app as hardware_app
from pipsight.commands.naming import known
from pipsight.commands.sets import app as sets_app
from pipsight.doctor import doctor
from pipsight.sets import SetSize

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipsight.commands.reading import Reading
    from pipsight.commands.solving import Answer, Position
    from pipsight.saving import Album

NOTHING_FOUND, BAD_INPUT, OWN_FAULT, INTERRUPTED = 3, 4, 70, 130
CUT_OFF = 141  # as shells say of a program that ended because nobody reads what it prints

app = typer.Typer(
    name="pipsight",
    help="A physical table companion for dominoes: a photograph goes in, a verdict comes out.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["--help", "-h"]},
)
app.add_typer(calibrate_app)
app.add_typer(sets_app)
app.add_typer(hardware_app, name="hardware", no_args_is_help=True)


def main() -> None:
    """Run the command that was typed.

    Neither a name that the terminal cannot show nor bytes that are no text, nor that there is no terminal, must end it.
    """
    sys.stdin, sys.stdout, sys.stderr = (there or StringIO() for there in (sys.stdin, sys.stdout, sys.stderr))
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, "backslashreplace")):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=errors)
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code.

    2 for a wrong usage, 4 for bad input, 130 if it was interrupted, 141 if nobody reads on, as before `head`.
    """
    from pipsight.trouble import in_words, is_interruption

    try:
        try:
            app(args=list(arguments), prog_name="pipsight")
        finally:
            _flush()
    except SystemExit as end:
        if isinstance(end.__context__, BrokenPipeError):  # of which typer and rich say 1, as do verdicts
            return CUT_OFF
        return end.code if isinstance(end.code, int) else 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return CUT_OFF
    except Exception as error:  # noqa: BLE001
        if is_interruption(error):
            return INTERRUPTED
        words = in_words(error)
        if words is None:
            traceback.print_exc()
            return OWN_FAULT
        complain(words)
        return BAD_INPUT
    return 0


def _flush() -> None:
    """Write out what was printed; what cannot be is not tried again as Python ends, which would say so by itself."""
    try:
        sys.stdout.flush()
    except OSError:
        sys.stdout = StringIO()
        raise


def complain(words: str) -> None:
    """Say on stderr, in one line, what is wrong."""
    line = " ".join(words.split())
    end = "" if line.endswith((".", "?", "!")) else "."
    print(f"pipsight: {line}{end}", file=sys.stderr, flush=True)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"pipsight {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and leave.")
    ] = False,
) -> None:
    pass


Taught = Annotated[
    list[str] | None, typer.Option("--taught", metavar="NAME", help="A set that you taught; may be given again.")
]


@app.command()
def read(
    pictures: Annotated[list[str], typer.Argument(metavar="PICTURE...", help="Pictures, or folders of pictures.")],
    json: Annotated[bool, typer.Option("--json", help="Print one line of JSON a picture.")] = False,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Write each picture with its reading drawn on it.")
    ] = None,
    of_set: Annotated[
        SetSize | None, typer.Option("--set", help="All dominoes are from one set up to this number, each there once.")
    ] = None,
    taught: Taught = None,
) -> None:
    """Find the dominoes on pictures and read them.

    Exit 0: all pictures were read, whether or not they show dominoes; 4: some could not be, each is named on stderr.
    """
    from pipsight.commands.reading import PictureReader, Reading, json_line, pictures_meant
    from pipsight.commands.showing import show_reading
    from pipsight.progress import followed
    from pipsight.saving import Album

    if of_set and taught:
        raise typer.BadParameter(
            "the sets that you taught say which dominoes lie there: leave it out", param_hint="--set"
        )
    images = pictures_meant(pictures)
    album = Album(out, map(Path, images)) if out else None
    failures = 0
    for result in followed(images, PictureReader(of_set and int(of_set.value), taught or ()).attempt):
        if json:
            print(json_line(result), flush=True)
        elif isinstance(result, Reading):
            show_reading(result)
        if isinstance(result, Reading):
            _keep(album, result, json)
        else:
            failures += 1
            complain(result.error)
    if failures:
        raise typer.Exit(BAD_INPUT)


def _keep(album: Album | None, reading: Reading, quiet: bool) -> None:
    """Write the drawn picture if that was wished for."""
    from pipsight.saving import save
    from vision.overlay import draw_reading
    from vision.picture import encode

    if album:
        place = album.place(Path(reading.image), "read")
        save(place, encode(draw_reading(reading.frame, reading.scene), place.suffix))
        if not quiet:
            print(f"Drawn: {place}")


@app.command()
def check(
    game: Annotated[str, typer.Argument(metavar="GAME", help="What was played, such as dominosa or mountains.")],
    picture: Annotated[
        str,
        typer.Argument(
            metavar="PICTURE|FILE",
            help="A picture of the finished table, its board in text (.txt), or a saved game (.json).",
        ),
    ],
    problem: Annotated[
        str | None, typer.Option("--problem", metavar="N|FILE", help="The published problem, or a file with its grid.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE|DIR", help="Write the picture with every fault drawn on it."),
    ] = None,
    taught: Taught = None,
) -> None:
    """Say whether a puzzle on the table is solved, and every fault if it is not.

    Exit 0: solved; 1: not solved; 3: undecided, because it hangs on a tile that could not be read surely, or the
    picture shows too little; 4: bad input.
    """
    from pipsight.commands.checking import check_picture, check_text, is_text
    from pipsight.commands.showing import show_verdict
    from pipsight.saving import place_for, save
    from vision.picture import encode

    if is_text(picture):
        if out:
            raise typer.BadParameter("there is no picture to draw on: leave it out", param_hint="--out")
        if taught:
            raise typer.BadParameter("there is no picture to read by it: leave it out", param_hint="--taught")
        judged = check_text(known(game), picture, problem)
        show_verdict(judged)
        raise typer.Exit(judged.exit_code)
    place = place_for(out, Path(picture), "check") if out else None
    checked = check_picture(known(game), picture, problem, taught or ())
    show_verdict(checked)
    if place:
        save(place, encode(checked.drawn(), place.suffix))
        print(f"Drawn: {place}")
    raise typer.Exit(checked.exit_code)


Source = Annotated[
    str | None,
    typer.Argument(
        metavar="[PICTURE|FILE]", help="A picture of the table, a text file (.txt), or a saved game (.json)."
    ),
]
OfProblem = Annotated[
    str | None, typer.Option("--problem", metavar="N|FILE", help="The published problem, or a file that holds one.")
]
Deal = Annotated[int | None, typer.Option("--deal", metavar="SEED", help="Deal by chance, the same for each seed.")]
Size = Annotated[int | None, typer.Option("--size", min=2, max=136, help="How many dominoes are dealt.")]
Limit = Annotated[float, typer.Option("--limit", metavar="SECONDS", min=0, help="How long to search at most.")]


@app.command()
def solve(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The puzzle, such as unmatched.")],
    source: Source = None,
    problem: OfProblem = None,
    deal: Deal = None,
    size: Size = None,
    taught: Taught = None,
    limit: Limit = 60,
    reasons: Annotated[
        bool, typer.Option("--reasons", help="Every step with its reason, where the game has them.")
    ] = False,
) -> None:
    """Find the fewest moves that solve a puzzle, or show that none do.

    Exit 0: solved; 1: there is no solution; 3: none was found within the limit or by reasons alone, or nobody can tell
    whether the goal is reached; 4: bad input.
    """
    from pipsight.commands.solving import reasoned, solved

    at = _position(game, source, problem, deal, size, taught)
    _answer(at, reasoned(at, limit) if reasons else solved(at, limit))


@app.command()
def moves(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The puzzle, such as unmatched.")],
    source: Source = None,
    problem: OfProblem = None,
    deal: Deal = None,
    size: Size = None,
    taught: Taught = None,
) -> None:
    """List the legal moves, each with a sentence."""
    from pipsight.commands.solving import listed

    _answer(at := _position(game, source, problem, deal, size, taught), listed(at))


@app.command()
def hint(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The puzzle, such as unmatched.")],
    source: Source = None,
    problem: OfProblem = None,
    deal: Deal = None,
    size: Size = None,
    taught: Taught = None,
    level: Annotated[int, typer.Option("--level", min=1, max=3, help="1 a nudge, 2 the place, 3 the move.")] = 1,
    limit: Limit = 60,
) -> None:
    """Help a little: a nudge, the place, or the move."""
    from pipsight.commands.solving import hinted

    _answer(at := _position(game, source, problem, deal, size, taught), hinted(at, level, limit))


class Dice(Enum):
    """Where rolls and draws come from: the program, or what somebody types."""

    ROLLED = "rolled"
    TYPED = "typed"


@app.command()
def suggest(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game, such as all_fives.")],
    source: Source = None,
    problem: OfProblem = None,
    taught: Taught = None,
    seat: Annotated[int | None, typer.Option("--seat", min=1, help="Whose advice: player 1, 2, ...")] = None,
    limit: Annotated[float, typer.Option("--limit", metavar="SECONDS", min=0, help="How long to think.")] = 2,
) -> None:
    """Advise moves, the best first, each with its reason; from no more than that player can see.

    Exit 0: advised; 3: there is nothing to advise, and why; 4: bad input.
    """
    from pipsight.commands.suggesting import advised, position_of

    at = position_of(known(game), source, problem, taught or ())
    _answer(at, advised(at, seat, limit))


class Resuming(TyperCommand):
    """A command whose --resume may stand without a name: then it is told which saved games there are."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read what was typed, with an empty name where none follows."""
        named = [*args, "-"]
        bare = [at for at, (one, after) in enumerate(pairwise(named)) if one == "--resume" and after.startswith("-")]
        for at in reversed(bare):
            args.insert(at + 1, "")
        return super().parse_args(ctx, args)


@app.command(cls=Resuming)
def play(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="The game, such as all_fives.")] = None,
    players: Annotated[int | None, typer.Option("--players", min=1, help="How many play.")] = None,
    seats: Annotated[
        str, typer.Option("--seats", metavar="you,program,...", help="Who sits where, the first player first.")
    ] = "",
    variant: Annotated[str, typer.Option("--variant", help="The way to play it, where there are several.")] = "",
    problem: OfProblem = None,
    seed: Annotated[int | None, typer.Option("--seed", help="The same seed shuffles and rolls the same.")] = None,
    dice: Annotated[Dice, typer.Option("--dice", help="Who says what the dice show.")] = Dice.ROLLED,
    limit: Annotated[float, typer.Option("--limit", metavar="SECONDS", min=0, help="How long to think a move.")] = 1,
    save: Annotated[Path | None, typer.Option("--save", metavar="FILE", help="Keep the game there.")] = None,
    resume: Annotated[
        str | None, typer.Option("--resume", metavar="FILE", help="Go on with a saved game; without a name, list them.")
    ] = None,
) -> None:
    """Play against the program in text, without a camera.

    Whoever leaves, by ctrl-C or by closing the window too, loses no move.
    Exit 0: the game is over, or was left by quit; 4: bad input.
    """
    from pipsight.commands.playing import Asked, played

    if game is None and resume is None:
        raise typer.BadParameter("name a game, or a saved one to --resume", param_hint="GAME")
    names = tuple(name.strip() for name in seats.split(",")) if seats else ()
    asked = Asked(players=players, seats=names, variant=variant, seed=seed, problem=problem, typed=dice is Dice.TYPED)
    played(game and known(game), asked, limit, save, resume)


class Form(Enum):
    """What a problem is written as."""

    TEXT = "text"
    JSON = "json"
    SVG = "svg"
    PNG = "png"


@app.command()
def generate(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The puzzle, such as unmatched.")],
    seed: Annotated[int, typer.Option("--seed", help="The same seed gives the same problems.")] = 1,
    count: Annotated[int, typer.Option("--count", min=1, help="How many problems.")] = 1,
    difficulty: Annotated[
        str | None, typer.Option("--difficulty", metavar="GRADE", help="Such as easy, medium or hard.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="A file for each problem, and one for its solution.")
    ] = None,
    form: Annotated[Form, typer.Option("--format", help="What a problem is written as.")] = Form.TEXT,
    scheduler: Annotated[
        str | None, typer.Option("--scheduler", metavar="ADDRESS", help="Let a Dask cluster do the work.")
    ] = None,
    limit: Annotated[
        float | None, typer.Option("--limit", metavar="SECONDS", min=0, help="How long to look for each problem.")
    ] = None,
) -> None:
    """Make up problems, each with a known solution. What is in --out DIR already is not made again.

    Exit 0: all were made; 3: some came to nothing, each is named on stderr; 4: bad input.
    """
    from pipsight.commands.generating import deliver

    missed = deliver(known(game), difficulty, seed, count, form.value, out, scheduler, limit)
    longer = ", or a longer --limit" if limit is not None else ""
    for name in missed:
        complain(f"no problem came of {name}: choose another seed{longer}")
    if missed:
        raise typer.Exit(NOTHING_FOUND)


def _position(
    game: str,
    source: str | None,
    problem: str | None,
    deal: int | None,
    size: int | None,
    taught: list[str] | None,
) -> Position:
    """The position that a command names; one that is dealt is shown first."""
    from pipsight.commands.solving import position

    at = position(known(game), source, problem, deal, size, taught or ())
    if deal is not None:
        print(f"{at.state}\n")
    return at


def _answer(at: Position, answer: Answer) -> None:
    """Print an answer after what is not sure about the position and how it lies, and leave with its exit code."""
    from rules.words import turning

    doubts = (f"  ? {doubt}" for doubt in at.doubts)
    for line in (*doubts, *filter(None, [turning(at.turn)]), *answer.lines):
        print(line)
    raise typer.Exit(answer.exit_code)


app.command()(watching.watch)
app.command()(watching.referee)
app.command()(watching.replay)
app.command()(timing.timer)
app.command()(doctor)


@app.command()
def demo() -> None:
    """Read and judge a picture that comes with pipsight: no camera and nothing to prepare."""
    from pipsight.commands.demo import play_demo

    play_demo()
