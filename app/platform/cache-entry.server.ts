import { etagMatches } from "./etag.server.ts";

/** A finished answer as it is kept: everything that all who ask for it share. */
export interface CacheEntry {
  /** The body, with blanks where each answer's own nonce belongs. */
  body: Uint8Array<ArrayBuffer>;
  /** Where the blanks begin, in bytes. */
  blanks: number[];
  headers: [string, string][];
  etag: string;
  /** Milliseconds. */
  keptAt: number;
  /** Of the generation under which it was made. */
  mark: string;
}

/** No answer larger than this is kept; lists without a limit may be of any length. */
const mostBytes = 2 * 1024 * 1024;

/** For how long the data centre may hold an entry, in seconds: for when the database is out of reach. */
const heldSeconds = 24 * 60 * 60;

/** What is said to browsers: keep it, and ask whether it still stands; who signs in gets another page. */
const toBrowsers = { "Cache-Control": "public, max-age=0, must-revalidate", Vary: "Cookie" };

/** What an answer that is kept may say; the rest belongs to one visitor, or is added to each answer. */
const keptHeaders = ["Content-Type", "Link", "Cache-Control", "X-Remix-Response"];

/**
 * Makes an entry of an answer, unless it is one that must not be kept: an error, one with a cookie, one that asks to
 * be private, or a very long one.
 *
 * @param nonce the nonce that the answer was rendered with; nobody is ever told it
 * @returns the entry, or the answer to be handed on
 */
export async function entryOf(
  answer: Response,
  { nonce, mark, now }: { nonce: string; mark: string; now: number },
): Promise<{ entry: CacheEntry; answer: null } | { entry: null; answer: Response }> {
  const { headers } = answer;
  const own = /\b(private|no-store)\b/.test(headers.get("Cache-Control") ?? "");
  if (answer.status !== 200 || own || headers.has("Set-Cookie")) return { entry: null, answer };
  const { whole, rest } = await readUpTo(mostBytes, answer);
  if (!whole) return { entry: null, answer: new Response(rest, answer) };
  const isPage = headers.get("Content-Type")?.startsWith("text/html");
  const blanks = isPage ? blankOut(whole, nonce) : [];
  const said = keptHeaders.flatMap((name): [string, string][] =>
    headers.has(name) ? [[name, headers.get(name) ?? ""]] : [],
  );
  const etag = headers.get("ETag") ?? `W/"${await digest(whole)}"`;
  const unsaid = headers.has("Cache-Control") ? [] : Object.entries(toBrowsers);
  return {
    entry: { body: whole, blanks, headers: [...said, ...unsaid], etag, keptAt: now, mark },
    answer: null,
  };
}

/** Answers a request with an entry: whole, or by saying that the client has it. */
export function answerWith(entry: CacheEntry, request: Request, nonce: string): Response {
  const headers: [string, string][] = [...entry.headers, ["ETag", entry.etag]];
  if (etagMatches(request, entry.etag)) return new Response(null, { status: 304, headers });
  if (request.method === "HEAD") return new Response(null, { headers });
  if (entry.blanks.length === 0) return new Response(entry.body, { headers });
  const body = entry.body.slice();
  const own = new TextEncoder().encode(nonce);
  for (const blank of entry.blanks) body.set(own, blank);
  return new Response(body, { headers });
}

/** Hands on an answer that was made without the request's own headers and is not kept. */
export async function handOn(answer: Response, request: Request): Promise<Response> {
  const { status, headers } = answer;
  const etag = headers.get("ETag");
  const isKnown = status === 200 && etag !== null && etagMatches(request, etag);
  if (!isKnown && request.method !== "HEAD") return answer;
  await answer.body?.cancel();
  return new Response(null, { status: isKnown ? 304 : status, headers });
}

/** An entry as the data centre's cache takes it. */
export function toStored({ body, ...rest }: CacheEntry): Response {
  const headers = { "Cache-Control": `public, max-age=${heldSeconds}`, "X-Entry": JSON.stringify(rest) };
  return new Response(body, { headers });
}

export async function fromStored(stored: Response): Promise<CacheEntry> {
  const rest = JSON.parse(stored.headers.get("X-Entry") ?? "");
  return { ...rest, body: new Uint8Array(await stored.arrayBuffer()) };
}

/** Whether an entry may still be shown when there is no other way to answer. */
export function isShowable(entry: CacheEntry, now: number): boolean {
  return now - entry.keptAt < heldSeconds * 1000;
}

/** Blanks a nonce out; it is random and of this one rendering, so it stands nowhere by a visitor's doing. */
function blankOut(body: Uint8Array<ArrayBuffer>, nonce: string): number[] {
  const encoder = new TextEncoder();
  const pieces = new TextDecoder().decode(body).split(nonce);
  let end = 0;
  return pieces.slice(0, -1).map((piece) => {
    const begin = end + encoder.encode(piece).byteLength;
    end = begin + nonce.length;
    body.fill("0".charCodeAt(0), begin, end);
    return begin;
  });
}

async function digest(body: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", body));
  return [...hash.subarray(0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Reads a body whole, or gives it back as it was when it is longer than that. */
async function readUpTo(
  most: number,
  { body }: Response,
): Promise<{ whole: Uint8Array<ArrayBuffer>; rest: null } | { whole: null; rest: ReadableStream }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = body?.getReader();
  for (let read = await reader?.read(); reader && read && !read.done; read = await reader.read()) {
    chunks.push(read.value);
    size += read.value.byteLength;
    if (size > most) return { whole: null, rest: goingOn(chunks, reader) };
  }
  const whole = new Uint8Array(size);
  let filled = 0;
  for (const chunk of chunks) {
    whole.set(chunk, filled);
    filled += chunk.byteLength;
  }
  return { whole, rest: null };
}

/** What has been read of a stream, and then the rest of it. */
function goingOn(chunks: Uint8Array[], reader: ReadableStreamDefaultReader<Uint8Array>): ReadableStream {
  return new ReadableStream({
    async pull(controller) {
      const first = chunks.shift();
      const next = first ? { done: false, value: first } : await reader.read();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** What an entry takes of a memory, in bytes, its key and headers as if each letter were two. */
export function sizeOf(key: string, { body, blanks, headers }: CacheEntry): number {
  const letters = key.length + headers.flat().join("").length;
  return body.byteLength + 8 * blanks.length + 2 * letters;
}
