// Something asked of the server: the answer is "" where it was done, else the sentence that says why not.

/** done: called with what the server answers, where it was done. */
export function send(address, body, done = () => {}) {
  return exchange(address, done, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}

/** Gets what the server knows. done: called with it. */
export async function exchange(address, done, request = {}) {
  try {
    const answer = await fetch(address, request);
    if (answer.ok) {
      done(await answer.json());
      return "";
    }
    const { detail } = await answer.json();
    return typeof detail === "string" ? detail : "That cannot be understood.";
  } catch {
    return "pipsight does not answer: is it still running?";
  }
}
