import { base64url } from "jose";

type Bytes = Uint8Array<ArrayBuffer>;

/** What a browser at a site is asked, of which an authenticator needs no more than this. */
interface Question {
  challenge: string;
  rp?: { id?: string };
  rpId?: string;
  user?: { id: string };
}

/** What an answer says otherwise than it should. */
export interface Lie {
  origin?: string;
  rpId?: string;
  type?: string;
  challenge?: string;
  /** How often it claims to have signed. */
  count?: number;
  /** Nobody has been asked for a finger or a PIN. */
  unverified?: boolean;
  /** Nobody has touched it. */
  absent?: boolean;
  userHandle?: string;
  crossOrigin?: { topOrigin: string };
}

/** An attestation as authenticators make one that vouch for the key with the key itself. */
type Attestation = "none" | "packed";

/**
 * A browser at a site with an authenticator of its own, which holds one key on P-256: it makes and signs what
 * the standard says, with real cryptography, and lies when it is told to.
 * @see https://www.w3.org/TR/webauthn-3/
 *
 * @param counts whether it counts how often it signs, as keys do that live in one place
 */
export async function createAuthenticator(origin: string, { counts = true } = {}) {
  const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
    "sign",
    "verify",
  ]);
  const { x = "", y = "" } = await crypto.subtle.exportKey("jwk", pair.publicKey);
  const id = crypto.getRandomValues(new Uint8Array(32));
  const state = { count: 0, userHandle: "" };

  function clientData(type: string, { challenge }: Question, lie: Lie): Bytes {
    const { crossOrigin } = lie;
    return utf8(
      JSON.stringify({
        type: lie.type ?? type,
        challenge: lie.challenge ?? challenge,
        origin: lie.origin ?? origin,
        crossOrigin: crossOrigin !== undefined,
        ...crossOrigin,
      }),
    );
  }

  async function authenticatorData(rpId: string | undefined, lie: Lie, credential?: Bytes): Promise<Bytes> {
    if (counts) state.count += 1;
    const flags = (lie.absent ? 0 : 1) | (lie.unverified ? 0 : 4) | (credential ? 64 : 0);
    const count = new DataView(new ArrayBuffer(4));
    count.setUint32(0, lie.count ?? state.count);
    const host = lie.rpId ?? rpId ?? new URL(origin).hostname;
    return joined(await sha256(utf8(host)), [flags], new Uint8Array(count.buffer), credential ?? []);
  }

  async function sign(data: Bytes, client: Bytes): Promise<Bytes> {
    const signed = joined(data, await sha256(client));
    const how = { name: "ECDSA", hash: "SHA-256" };
    return inDer(new Uint8Array(await crypto.subtle.sign(how, pair.privateKey, signed)));
  }

  const whole = (response: object) => ({
    id: base64url.encode(id),
    rawId: base64url.encode(id),
    type: "public-key" as const,
    clientExtensionResults: {},
    response,
  });

  return {
    id: base64url.encode(id),
    state,

    /** Makes its key known: the answer to the options of a registration. */
    async create(question: Question, lie: Lie = {}, format: Attestation = "none") {
      state.userHandle = question.user?.id ?? "";
      const publicKey = cbor(
        new Map<number, unknown>([
          [1, 2],
          [3, -7],
          [-1, 1],
          [-2, base64url.decode(x)],
          [-3, base64url.decode(y)],
        ]),
      );
      const credential = joined(new Uint8Array(16), [0, id.length], id, publicKey);
      const data = await authenticatorData(question.rp?.id, lie, credential);
      const client = clientData("webauthn.create", question, lie);
      const statement = new Map<string, unknown>(
        format === "none"
          ? []
          : [
              ["alg", -7],
              ["sig", await sign(data, client)],
            ],
      );
      const attestation = new Map<string, unknown>([
        ["fmt", format],
        ["attStmt", statement],
        ["authData", data],
      ]);
      return whole({
        clientDataJSON: base64url.encode(client),
        attestationObject: base64url.encode(cbor(attestation)),
        transports: ["internal"],
      });
    },

    /** Signs: the answer to the options of a login. */
    async get(question: Question, lie: Lie = {}) {
      const data = await authenticatorData(question.rpId, lie);
      const client = clientData("webauthn.get", question, lie);
      return whole({
        clientDataJSON: base64url.encode(client),
        authenticatorData: base64url.encode(data),
        signature: base64url.encode(await sign(data, client)),
        userHandle: lie.userHandle ?? state.userHandle,
      });
    },
  };
}

export type Authenticator = Awaited<ReturnType<typeof createAuthenticator>>;

function utf8(text: string): Bytes {
  return new TextEncoder().encode(text);
}

async function sha256(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

function joined(...parts: (Bytes | number[])[]): Bytes {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

/** As much of CBOR as authenticators speak. @see https://www.rfc-editor.org/rfc/rfc8949 */
function cbor(value: unknown): Bytes {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return joined(head(3, utf8(value).length), utf8(value));
  if (value instanceof Uint8Array) return joined(head(2, value.length), [...value]);
  if (!(value instanceof Map)) throw new TypeError("No authenticator says that.");
  return joined(head(5, value.size), ...[...value].flatMap(([key, each]) => [cbor(key), cbor(each)]));
}

function head(kind: number, size: number): Bytes {
  if (size < 24) return joined([(kind << 5) | size]);
  return size < 256 ? joined([(kind << 5) | 24, size]) : joined([(kind << 5) | 25, size >> 8, size & 255]);
}

/** A signature's two halves as authenticators wrap them. */
function inDer(signature: Bytes): Bytes {
  const integers = [signature.slice(0, 32), signature.slice(32)].flatMap((half) => {
    const from = half.findIndex((byte) => byte !== 0);
    const short = half.slice(from);
    const positive = (short[0] ?? 0) > 0x7f ? joined([0], short) : short;
    return [2, positive.length, ...positive];
  });
  return joined([0x30, integers.length], integers);
}
