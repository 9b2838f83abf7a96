/** What became of a photo that was sent; `again` when it is worth another try. */
export type Sent = { added: true } | { refused: string; again: boolean };

const notSent = "This photo could not be sent. Check your connection and try again.";
const loggedOut = "You are no longer logged in. Log in and try again.";

/**
 * Sends one photo. `fetch` does not tell how far a body has come, so this is the older way.
 *
 * @param onProgress is told how much of it has been sent, from 0 to 1
 */
export function sendPhoto(to: string, body: Blob, onProgress: (part: number) => void): Promise<Sent> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open("POST", to);
    request.setRequestHeader("Content-Type", "application/octet-stream");
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => {
      const { added, error } = (request.response ?? {}) as { added?: string; error?: string };
      if (added) resolve({ added: true });
      else if (error) resolve({ refused: error, again: request.status === 429 || request.status >= 500 });
      else if (new URL(request.responseURL).pathname === "/login")
        resolve({ refused: loggedOut, again: true });
      else resolve({ refused: notSent, again: true });
    };
    request.onerror = () => resolve({ refused: notSent, again: true });
    request.send(body);
  });
}
