import { base64url } from "jose";

type Bytes = Uint8Array<ArrayBuffer>;

/** The WebAuthn options that the authenticator reads. */
interface WebAuthnOptions {
  challenge: string;
  rp?: { id?: string };
  rpId?: string;
  user?: { id: string };
}

/** Values that make a response invalid. */
export interface Overrides {
  origin?: string;
  rpId?: string;
  type?: string;
  challenge?: string;
  count?: number;
  /** No user verification by fingerprint or PIN. */
  unverified?: boolean;
  /** No user presence. */
  absent?: boolean;
  userHandle?: string;
  crossOrigin?: { topOrigin: string };
}

/** "packed" is self attestation: signed by the new key itself. */
type Attestation = "none" | "packed";

/**
 * Creates a WebAuthn authenticator in software with one P-256 key, which signs as the standard requires.
 * @see https://www.w3.org/TR/webauthn-3/
 *
 * @param counts whether it increases its signature counter; synced passkeys do not
 */
export async function createAuthenticator(origin: string, { counts = true } = {}) {
  const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
    "sign",
    "verify",
  ]);
  const { x = "", y = "" } = await crypto.subtle.exportKey("jwk", pair.publicKey);
  const id = crypto.getRandomValues(new Uint8Array(32));
  const state = { count: 0, userHandle: "" };

  function clientData(type: string, { challenge }: WebAuthnOptions, overrides: Overrides): Bytes {
    const { crossOrigin } = overrides;
    return utf8(
      JSON.stringify({
        type: overrides.type ?? type,
        challenge: overrides.challenge ?? challenge,
        origin: overrides.origin ?? origin,
        crossOrigin: crossOrigin !== undefined,
        ...crossOrigin,
      }),
    );
  }

  async function authenticatorData(
    rpId: string | undefined,
    overrides: Overrides,
    credential?: Bytes,
  ): Promise<Bytes> {
    if (counts) state.count += 1;
    const flags = (overrides.absent ? 0 : 1) | (overrides.unverified ? 0 : 4) | (credential ? 64 : 0);
    const count = new DataView(new ArrayBuffer(4));
    count.setUint32(0, overrides.count ?? state.count);
    const host = overrides.rpId ?? rpId ?? new URL(origin).hostname;
    return joined(await sha256(utf8(host)), [flags], new Uint8Array(count.buffer), credential ?? []);
  }

  async function sign(data: Bytes, client: Bytes): Promise<Bytes> {
    const signed = joined(data, await sha256(client));
    const algorithm = { name: "ECDSA", hash: "SHA-256" };
    return toDer(new Uint8Array(await crypto.subtle.sign(algorithm, pair.privateKey, signed)));
  }

  const credentialOf = (response: object) => ({
    id: base64url.encode(id),
    rawId: base64url.encode(id),
    type: "public-key" as const,
    clientExtensionResults: {},
    response,
  });

  return {
    id: base64url.encode(id),
    state,

    /** Creates the response to registration options. */
    async create(options: WebAuthnOptions, overrides: Overrides = {}, format: Attestation = "none") {
      state.userHandle = options.user?.id ?? "";
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
      const data = await authenticatorData(options.rp?.id, overrides, credential);
      const client = clientData("webauthn.create", options, overrides);
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
      return credentialOf({
        clientDataJSON: base64url.encode(client),
        attestationObject: base64url.encode(cbor(attestation)),
        transports: ["internal"],
      });
    },

    /** Creates the response to login options. */
    async get(options: WebAuthnOptions, overrides: Overrides = {}) {
      const data = await authenticatorData(options.rpId, overrides);
      const client = clientData("webauthn.get", options, overrides);
      return credentialOf({
        clientDataJSON: base64url.encode(client),
        authenticatorData: base64url.encode(data),
        signature: base64url.encode(await sign(data, client)),
        userHandle: overrides.userHandle ?? state.userHandle,
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

/** Encodes the subset of CBOR that WebAuthn uses. @see https://www.rfc-editor.org/rfc/rfc8949 */
function cbor(value: unknown): Bytes {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") return joined(head(3, utf8(value).length), utf8(value));
  if (value instanceof Uint8Array) return joined(head(2, value.length), [...value]);
  if (!(value instanceof Map)) throw new TypeError("This value has no CBOR encoding here.");
  return joined(head(5, value.size), ...[...value].flatMap(([key, each]) => [cbor(key), cbor(each)]));
}

function head(kind: number, size: number): Bytes {
  if (size < 24) return joined([(kind << 5) | size]);
  return size < 256 ? joined([(kind << 5) | 24, size]) : joined([(kind << 5) | 25, size >> 8, size & 255]);
}

function toDer(signature: Bytes): Bytes {
  const integers = [signature.slice(0, 32), signature.slice(32)].flatMap((half) => {
    const from = half.findIndex((byte) => byte !== 0);
    const short = half.slice(from);
    const positive = (short[0] ?? 0) > 0x7f ? joined([0], short) : short;
    return [2, positive.length, ...positive];
  });
  return joined([0x30, integers.length], integers);
}
