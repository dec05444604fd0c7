// The page: one table, its parts put together.

import { Calibrating } from "./calibrating.js";
import { Camera } from "./camera.js";
import { Choosing } from "./choosing.js";
import { Correcting } from "./correcting.js";
import { find } from "./drawing.js";
import { Sounds, Voice } from "./hearing.js";
import { Hunt } from "./hunt.js";
import { LayingSets } from "./laying_sets.js";
import { Link } from "./link.js";
import { Picture } from "./picture.js";
import { Race } from "./race.js";
import { Story, sentenceOf } from "./story.js";
import { listTables } from "./tables.js";

const THEMES = ["system", "light", "dark"];
const SPOKEN = new Set(["began", "moved", "wrong", "taken_back", "hinted", "resynced", "over", "trouble", "recovered", "refused", "setting_up",
  "roll_call", "was_first", "too_close", "hunted_again", "foul", "photo_finish"]);
const ANSWERS = new Set(["hinted", "moved", "taken_back", "resynced", "wrong", "refused"]);

const asked = new URLSearchParams(location.search);
const table = asked.get("table") ?? "1";
if (asked.has("token")) {
  asked.delete("token");
  history.replaceState(null, "", asked.size ? `?${asked}` : location.pathname);
}

const link = new Link(table);
const correcting = new Correcting(link);
const picture = new Picture(link, (...tile) => correcting.ask(...tile));
const story = new Story();
const onTheClock = [new Hunt(link, table, picture), new Race(link)];
const sounds = new Sounds();
const voice = new Voice();
new Camera(table);
const choosing = new Choosing(table);
const calibrating = new Calibrating(table);
const sets = new LayingSets(table);

link.addEventListener("open", () => {
  begin(); // all that happened is told anew
  said("Connected.");
});
link.addEventListener("cut", ({ detail }) => {
  said(detail.forever ? "Not connected." : "The line is cut; trying again.", true);
  if (detail.forever) story.refused(detail.reason);
});
link.addEventListener("event", ({ detail }) => {
  if (detail.event === "chosen") begin();
  story.happened(detail);
  onTheClock.forEach((one) => one.happened(detail));
  if (detail.past) return;
  answered(detail);
  sounds.play(detail.event);
  if (SPOKEN.has(detail.event)) voice.say(sentenceOf(detail));
});
link.addEventListener("view", ({ detail }) => {
  story.show(detail);
  onTheClock.forEach((one) => one.show(detail));
  correcting.show(detail);
  choosing.show(detail);
  sets.show(detail);
  picture.draw(detail);
  find("pause").setAttribute("aria-pressed", String(detail.paused));
  find("pause").textContent = detail.paused ? "Go on" : "Pause";
  find("solution").hidden = detail.contest;
  document.documentElement.toggleAttribute("data-fixed", Boolean(detail.fixed));
});

/** Forget what happened: it belongs to another game, or is told once more. */
function begin() {
  story.begin();
  onTheClock.forEach((one) => one.begin());
}

function said(text, lost = false) {
  find("connection").textContent = text;
  find("connection").classList.toggle("lost", lost);
}

let asking = false; // something whose answer stands at the top of the page

function ask(message) {
  asking = true;
  link.ask(message);
}

/** Whoever pressed far below sees the answer; the steps of a solution stand where they were asked for. */
function answered({ event, moves }) {
  if (!asking || !ANSWERS.has(event)) return;
  asking = false;
  if (!moves?.length) document.querySelector(".story").scrollIntoView({ block: "nearest" });
}

const press = (id, message) => find(id).addEventListener("click", () => ask(message()));
press("solution", () => ({ ask: "solution" }));
press("take-back", () => ({ ask: "take_back" }));
press("resync", () => ({ ask: "resync" }));
find("pause").addEventListener("click", () => link.ask({ ask: "pause", on: find("pause").getAttribute("aria-pressed") !== "true" }));
document.querySelectorAll("[data-hint]").forEach((one) =>
  one.addEventListener("click", () => ask({ ask: "hint", level: Number(one.dataset.hint) })));
find("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const move = find("move").value.trim();
  if (move) ask({ ask: "move", move });
  find("move").value = "";
});

document.querySelectorAll("[data-leave]").forEach((one) => one.addEventListener("click", () => one.closest("dialog").close()));

function kept(id, begin, change) {
  const show = (on) => {
    find(id).setAttribute("aria-pressed", String(on));
    change(on);
  };
  show(begin);
  find(id).addEventListener("click", () => {
    const on = find(id).getAttribute("aria-pressed") !== "true";
    localStorage.setItem(id, on ? "1" : "");
    show(on);
  });
}
kept("sounds", Boolean(localStorage.getItem("sounds")), (on) => { sounds.on = on; });
kept("voice", Boolean(localStorage.getItem("voice")), (on) => { voice.on = on; });
kept("large", Boolean(localStorage.getItem("large")), (on) => document.documentElement.toggleAttribute("data-large", on));

function theme(name) {
  document.documentElement.dataset.theme = name;
  find("theme").textContent = `Theme: ${name}`;
}
theme(localStorage.getItem("theme") ?? "system");
find("theme").addEventListener("click", () => {
  const next = THEMES[(THEMES.indexOf(document.documentElement.dataset.theme) + 1) % THEMES.length];
  localStorage.setItem("theme", next);
  theme(next);
});

const saves = { "save-moves": "moves.txt", "save-picture": "picture.jpg", "save-clip": "clip.mp4" };
for (const [id, name] of Object.entries(saves)) find(id).href = `/api/tables/${table}/${name}`;

const [, wizard] = location.hash.match(/^#calibrate-?(\w*)$/) ?? [];
if (wizard !== undefined) calibrating.open(wizard);
listTables(table);
link.connect();
