"""Training that survives ctrl-C: checkpoints with the running average of the weights.

Networks learn on a graphics card where there is one (CUDA). There, and where the processor multiplies 16-bit floats in
hardware, they compute in them, much faster; weights, losses and averages are kept in 32 bits.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Generator, Iterator
from multiprocessing.util import Finalize
from pathlib import Path
from queue import Full, Queue
from threading import Event, Thread
from typing import TypeVar, cast

import cv2
import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

Batch = TypeVar("Batch")
AVERAGE_DECAY = 0.998
LAST = -1000  # after all else that a process does as it ends, even what its queues still send


def ahead(batches: Iterator[Batch], depth: int = 4) -> Generator[Batch]:
    """The same batches, made in a thread of their own while the network works; closing it ends the thread."""
    waiting: Queue[Batch | Exception] = Queue(depth)
    over = Event()

    def passed_on(one: Batch | Exception) -> bool:
        while not over.is_set():
            if _offered(waiting, one):
                return True
        return False

    def work() -> None:
        try:
            for batch in batches:
                if not passed_on(batch):
                    return
        except Exception as error:  # noqa: BLE001  whatever it is, the trainer raises it
            passed_on(error)

    worker = Thread(target=work)
    worker.start()
    try:
        while True:
            batch = waiting.get()
            if isinstance(batch, Exception):
                raise batch
            yield batch
    finally:
        over.set()
        worker.join()


def _offered(waiting: Queue[Batch | Exception], batch: Batch) -> bool:
    try:
        waiting.put(batch, timeout=0.2)
    except Full:
        return False
    return True


class _Endless(IterableDataset[Batch]):
    """The batches that one process of `side_by_side` makes, other ones in each."""

    def __init__(self, batches: Callable[[Path, int, int], Iterator[Batch]], folder: Path, size: int) -> None:
        self._batches, self._folder, self._size = batches, folder, size

    def __iter__(self) -> Iterator[Batch]:
        cv2.setNumThreads(1)
        worker = get_worker_info()
        return self._batches(self._folder, self._size, 1 if worker is None else 1 + int(worker.id))


def side_by_side(
    batches: Callable[[Path, int, int], Iterator[Batch]], folder: Path, size: int, loaders: int
) -> Generator[Batch]:
    """Batches made by so many processes, for a graphics card that learns faster than one can make them."""
    # Spawned, not forked: a fork of a process in which OpenCV's threads have run may wait for them for ever.
    made = DataLoader(
        _Endless(batches, folder, size),
        batch_size=None,
        num_workers=loaders,
        pin_memory=torch.cuda.is_available(),
        multiprocessing_context="spawn",
        worker_init_fn=_ends_at_once,
    )
    yield from made


def _ends_at_once(number: int) -> None:
    """Let a process end without the libraries' own goodbyes, in which threads of theirs abort it now and then."""
    Finalize(None, os._exit, args=(0,), exitpriority=LAST)


def save(path: Path, state: dict[str, object]) -> None:
    """Write the checkpoint whole or not at all, its folder first."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".draft")
    torch.save(state, draft)
    draft.replace(path)


def train(
    net: nn.Module,
    batches: Generator[Batch],
    loss_of: Callable[[nn.Module, Batch], tuple[Tensor, str]],
    path: Path,
    steps: int,
    rate: float,
) -> None:
    """Train for `steps` in all, going on from the checkpoint at `path` if there is one; ctrl-C loses nothing.

    loss_of: gets the network and a batch; what the network says may be in 16-bit floats.
    """
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    net.to(device, memory_format=torch.channels_last)
    optimizer = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-3)
    average = {k: v.clone() for k, v in net.state_dict().items()}
    start = 0
    if path.exists():
        saved = torch.load(path, map_location=device, weights_only=True)
        net.load_state_dict(saved["net"])
        if "optimizer" in saved:  # not in one that training.restore made
            optimizer.load_state_dict(saved["optimizer"])
        average, start = saved["average"], int(saved["step"])
    short = device.type == "cuda" or bool(torch.cpu.get_capabilities().get("avx512_bf16"))
    step, clock = start, time.monotonic()
    try:
        while step < steps:
            _set_rate(optimizer, rate, step, steps)
            batch = _on(device, next(batches))
            with torch.autocast(device.type, torch.bfloat16, enabled=short):
                loss, note = loss_of(net, batch)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            optimizer.step()
            _follow(average, net, min(AVERAGE_DECAY, step / (step + 30)))
            step += 1
            if step % 50 == 0:
                print(f"{step}/{steps} {note} {(time.monotonic() - clock) / 50:.2f} s a step", flush=True)
                clock = time.monotonic()
            if step % 500 == 0:
                save(
                    path,
                    {"net": net.state_dict(), "optimizer": optimizer.state_dict(), "average": average, "step": step},
                )
    finally:
        batches.close()
        if step > start:  # else the file stays as it is: training.train_landing knows the eyes by it
            save(
                path,
                {"net": net.state_dict(), "optimizer": optimizer.state_dict(), "average": average, "step": step},
            )


def trainer(
    doc: str | None,
    net: Callable[[], nn.Module],
    batches: Callable[[Path, int, int], Iterator[Batch]],
    loss_of: Callable[[nn.Module, Batch], tuple[Tensor, str]],
    *,
    steps: int,
    batch: int,
) -> None:
    """A trainer's command line; doc says what it is for. steps, batch: as many, where nobody says otherwise.

    batches: makes them from a folder, their size and a seed.
    """
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="what there is to learn from")
    parser.add_argument("checkpoint", type=Path)
    args = asked(parser, steps, batch)
    made = learned_from(batches, args.folder, args)
    train(net(), made, loss_of, args.checkpoint, args.steps, args.rate)


def learned_from(
    batches: Callable[[Path, int, int], Iterator[Batch]], folder: Path, args: argparse.Namespace
) -> Generator[Batch]:
    """The batches of a folder, made as `asked` was told."""
    require_lessons(folder)
    if args.loaders:
        return side_by_side(batches, folder, args.batch, args.loaders)
    return ahead(batches(folder, args.batch, 1))


def require_lessons(folder: Path) -> None:
    """End in a sentence where a folder has neither scenes nor films."""
    if not any(folder.glob("*.jsonl")):
        raise SystemExit(f"{folder} holds nothing to learn from: training.scenes or training.touches makes it")


def asked(parser: argparse.ArgumentParser, steps: int, batch: int) -> argparse.Namespace:
    """What a trainer's command line says, with the options that all have; chance and threads are set by it."""
    parser.add_argument("--steps", type=int, default=steps)
    parser.add_argument("--batch", type=int, default=batch)
    parser.add_argument("--rate", type=float, default=2e-3, help="lower to go on from good weights")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--loaders", type=int, default=0, help="processes that make batches, for a graphics card")
    args = parser.parse_args()
    torch.manual_seed(1)
    torch.set_num_threads(args.threads)
    cv2.setNumThreads(1)
    return args


def _on(device: torch.device, batch: Batch) -> Batch:
    """The batch on the device that the network is on."""
    if device.type == "cpu" or not isinstance(batch, tuple | list):  # pinned ones come as a list
        return batch
    moved = tuple(one.to(device, non_blocking=True) for one in batch)
    return cast(Batch, moved)


def _set_rate(optimizer: torch.optim.Optimizer, rate: float, step: int, steps: int) -> None:
    """A short warm-up, then down along a half cosine."""
    done = torch.tensor(step / max(1, steps))
    now = rate * min(1.0, (step + 1) / 200) * float(0.02 + 0.98 * (1 + torch.cos(torch.pi * done)) / 2)
    for group in optimizer.param_groups:
        group["lr"] = now


@torch.no_grad()
def _follow(average: dict[str, Tensor], net: nn.Module, decay: float) -> None:
    for key, value in net.state_dict().items():
        if value.dtype.is_floating_point:
            average[key].lerp_(value, 1 - decay)
        else:
            average[key].copy_(value)
