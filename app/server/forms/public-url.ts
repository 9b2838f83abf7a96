/** Endings of names that are no hosts of the Internet (RFC 6761, RFC 6762, RFC 8375, and what networks use). */
const privateEndings = [
  "localhost",
  "local",
  "localdomain",
  "internal",
  "intranet",
  "lan",
  "home",
  "arpa",
  "corp",
];

/**
 * Whether an address is an https one of a named host on the Internet. Addresses of numbers are refused, also as `URL`
 * reads them (`https://2130706433`), and so are names without a dot, other ports and passwords.
 */
export function isPublicUrl(address: string): boolean {
  if (!/^https:\/\//i.test(address) || !URL.canParse(address)) return false;
  const { hostname, port, username, password } = new URL(address);
  const name = hostname.replace(/\.$/, "");
  const ending = name.split(".").at(-1) ?? "";
  return (
    name.includes(".") &&
    /\p{L}/u.test(ending) &&
    !privateEndings.includes(ending) &&
    port + username + password === ""
  );
}
