"""How tests look at a page: what it says, whether everybody can use it, and a picture of it for people."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import ROOT

PICTURES = ROOT / "build" / "screenshots"
STICKS_OUT = """() => [...document.querySelectorAll(
  ":is(main, dialog[open]) :is(button, input, p, li, svg, canvas)")].filter((one) => {
  const panel = one.closest(".panel, dialog") ?? document.body;
  const { width, right } = one.getBoundingClientRect();
  return width && right > Math.min(panel.getBoundingClientRect().right, innerWidth) + 0.5;
}).map((one) => one.id || one.textContent)"""


def happened(page: Page, text: str) -> None:
    """The page says this at its top."""
    expect(page.locator("#happened")).to_contain_text(text)


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


def fits_a_phone(page: Page, name: str) -> None:
    """On phones, the narrowest first, nothing sticks out of its panel or of the page, and everybody can use it."""
    for width in (320, 390):
        page.set_viewport_size({"width": width, "height": 844})
        out = page.evaluate(STICKS_OUT)
        assert out == [], f"{name} at {width} pixels: {out}"
    accessible(page, f"{name} on a phone")
    kept(page, f"{name}-phone")
    page.set_viewport_size({"width": 1280, "height": 860})
