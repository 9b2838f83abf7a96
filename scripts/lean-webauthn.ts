import { resolve } from "node:path";
import type { Plugin } from "vite";

/** The compiled files of the library on the server. */
const library = /[\\/]@simplewebauthn[\\/]server[\\/]esm[\\/](.+)\.js$/;

/**
 * What reads the certificates by which makers vouch for their authenticators: four fifths of the library, and
 * about 80 KB of the compressed Worker. Ringback asks for none (`attestationType: "none"`).
 */
const certificates =
  /^(metadata\/verify|services\/(metadataService|defaultRootCerts)|registration\/verifications\/(?!verifyAttestationPacked)|helpers\/(convertX509PublicKeyToCOSE|getCertificateInfo|isCertRevoked|validateCertificatePath|validateExtFIDOGenCEAAGUID)$)/;

/** Takes signatures on P-256 out of their wrapping, for which the library brings all of ASN.1. */
const signature = "helpers/iso/isoCrypto/unwrapEC2Signature";

/** Leaves out of a build what the Worker never runs of `@simplewebauthn/server`. */
export function leanWebauthn(): Plugin {
  return {
    name: "ringback:lean-webauthn",
    apply: "build",
    load(id) {
      const file = id.match(library)?.[1]?.replaceAll("\\", "/");
      if (file === signature) {
        const own = JSON.stringify(resolve("app/platform/ecdsa-signature.ts"));
        return `export { unwrapEC2Signature } from ${own};`;
      }
      if (!file || !certificates.test(file)) return null;
      // Whatever would be imported from here throws when it is called, and so refuses what asked for it.
      const code = `const refuse = () => { throw new Error("Certificates are not read here."); };
        export default new Proxy({}, { get: () => refuse });`;
      return { code, syntheticNamedExports: true };
    },
  };
}
