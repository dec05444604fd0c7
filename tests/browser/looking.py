"""How tests look at a page: what it says, whether everybody can use it, and a picture of it for people."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import PATIENCE_MS, ROOT

PICTURES = ROOT / "build" / "screenshots"


def happened(page: Page, text: str) -> None:
    """The page says this at its top."""
    expect(page.locator("#happened")).to_contain_text(text, timeout=PATIENCE_MS)


def kept(page: Page, name: str) -> None:
    """Keep a picture of the page for people to look at."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=PICTURES / f"{name}.png")


def accessible(page: Page, name: str) -> None:
    """Nothing that axe knows of keeps anybody from using the page as it stands."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    told = [(one["id"], [node["target"] for node in one["nodes"]][:4]) for one in found]
    assert told == [], f"{name}: {told}"
