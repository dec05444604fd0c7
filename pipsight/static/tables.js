// The tables that this pipsight follows, where there are several: each a link with its picture.

import { element, find } from "./drawing.js";

const EVERY_MS = 5000;

/** List them from now on; here: the table of this page. */
export function listTables(here) {
  const look = async () => {
    if (!document.hidden) await list(here).catch(() => {});
    setTimeout(look, EVERY_MS);
  };
  look();
}

async function list(here) {
  const answer = await fetch("/api/tables");
  const tables = answer.ok ? await answer.json() : [];
  const place = find("tables");
  place.hidden = tables.length < 2;
  if (place.hidden) return;
  const known = [...place.children].map((one) => one.dataset.table).join();
  if (known !== tables.map(({ table }) => table).join()) place.replaceChildren(...tables.map((one) => link(one, here)));
  [...place.children].forEach((one, k) => renew(one, tables[k]));
}

function link({ table }, here) {
  const image = element("img", { alt: "", width: 96, height: 54, class: "dark" });
  image.addEventListener("error", () => image.classList.add("dark"));
  image.addEventListener("load", () => image.classList.remove("dark"));
  return element("a", { href: `?table=${table}`, "data-table": table, ...(table === here ? { "aria-current": "page" } : {}) },
    image, element("span", {}, `Table ${table}`), element("small", {}));
}

function renew(one, { table, title, view, camera }) {
  if (camera.source) one.querySelector("img").src = `/api/tables/${table}/picture.jpg?at=${Date.now()}`;
  one.querySelector("small").textContent = title ? `${title}, ${view}` : "no game yet";
}
