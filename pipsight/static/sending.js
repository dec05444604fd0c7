// Something posted to the server: the answer is "" where it was done, else the sentence that says why not.

export async function send(address, body) {
  try {
    const answer = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (answer.ok) return "";
    const { detail } = await answer.json();
    return typeof detail === "string" ? detail : "That cannot be understood.";
  } catch {
    return "pipsight does not answer: is it still running?";
  }
}
