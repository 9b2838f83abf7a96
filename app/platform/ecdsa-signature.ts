/** Bytes in each half of a signature on P-256. */
const half = 32;

/** The number that COSE has for the curve. @see https://www.iana.org/assignments/cose */
const p256 = 1;

/**
 * An ECDSA signature on P-256 in the form that Web Crypto checks: both halves at their full length, one after
 * the other. Authenticators wrap them as two integers in DER.
 * @see https://www.w3.org/TR/webauthn-3/#sctn-signature-attestation-types
 *
 * @param curve by its number in COSE
 * @throws Error when it is not such a signature, to the byte
 */
export function unwrapEC2Signature(signature: Uint8Array, curve: number): Uint8Array<ArrayBuffer> {
  if (curve !== p256) throw new Error("This signature is on another curve.");
  const sequence = element(signature, 0, 0x30);
  const r = element(signature, sequence.from, 0x02);
  const s = element(signature, r.to, 0x02);
  if (sequence.to !== signature.length || s.to !== sequence.to) throw new Error("This is not a signature.");
  const unwrapped = new Uint8Array(2 * half);
  for (const [index, { from, to }] of [r, s].entries()) {
    const integer = positive(signature.subarray(from, to));
    unwrapped.set(integer, (index + 1) * half - integer.length);
  }
  return unwrapped;
}

/** Where the content of an element of DER lies. Nothing in such a signature is longer than one byte can say. */
function element(bytes: Uint8Array, at: number, tag: number): { from: number; to: number } {
  const length = bytes[at + 1];
  const to = at + 2 + (length ?? 0);
  if (bytes[at] !== tag || length === undefined || length > 0x7f || to > bytes.length) {
    throw new Error("This is not a signature.");
  }
  return { from: at + 2, to };
}

/** An integer without the zero that tells it from a negative one. */
function positive(integer: Uint8Array): Uint8Array {
  const bytes = integer[0] === 0 ? integer.subarray(1) : integer;
  const isNegative = integer[0] === undefined || integer[0] > 0x7f;
  if (isNegative || bytes.length > half) throw new Error("This is not a signature.");
  return bytes;
}
