// What a set's wizard asks: which tile is this, by its picture; and which dominoes, seen nowhere, the set really lacks.

import { element, find, pair } from "./drawing.js";

export class Asking {
  #reply;

  /** reply: called with what the person says. */
  constructor(reply) {
    this.#reply = reply;
    find("question-typed").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#answer(["answer-first", "answer-second"].map((id) => Number(find(id).value)));
    });
    find("cannot-tell").addEventListener("click", () => this.#answer(null));
    find("unseen").addEventListener("submit", (event) => {
      event.preventDefault();
      const lacking = [...find("unseen-dominoes").querySelectorAll(":checked")].map((one) => one.value);
      this.hide();
      this.#reply({ ask: "lacking", dominoes: lacking });
    });
  }

  /** Show what an event asks; any other event means that nothing is asked now. */
  show(event) {
    this.hide();
    find("wizard-figures").hidden = find("wizard-warnings").hidden = event.event !== "guided";
    if (event.event === "question") this.#question(event);
    if (event.event === "unseen") this.#unseen(event);
  }

  hide() {
    find("question").hidden = find("unseen").hidden = true;
  }

  #question({ number, picture, guesses, highest }) {
    find("question-title").textContent = `Question ${number}`;
    find("question-picture").src = picture;
    find("guesses").replaceChildren(...guesses.map((guess) =>
      element("button", { type: "button", onclick: () => this.#answer(guess) }, pair(guess))));
    for (const id of ["answer-first", "answer-second"]) Object.assign(find(id), { value: "", max: highest });
    find("question").hidden = false;
    find("take").hidden = find("enough").hidden = true;
    find("question").focus();
  }

  #answer(pips) {
    this.hide();
    this.#reply({ ask: "answer", pips });
  }

  #unseen({ dominoes }) {
    find("unseen-dominoes").replaceChildren(...dominoes.map((domino) => element("label", {},
      element("input", { type: "checkbox", value: domino }),
      element("span", {}, pair([...domino].map((half) => parseInt(half, 16)))))));
    find("unseen").hidden = false;
    find("take").hidden = find("enough").hidden = true;
    find("unseen").focus();
  }
}
