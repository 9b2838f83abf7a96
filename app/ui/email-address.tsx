import { Fragment } from "react";

/** Longer parts of an address may break at their dots. */
const maxPartLength = 20;

/** An email address that breaks after its "@", not in the middle of a word, and does not turn the text around it. */
export function EmailAddress({ email }: { email: string }) {
  const parts = splitAfter(email, "@").flatMap((part) =>
    part.length > maxPartLength ? splitAfter(part, ".") : [part],
  );
  return (
    <bdi>
      {parts.map((part, index) => (
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </bdi>
  );
}

function splitAfter(text: string, separator: string): string[] {
  const parts = text.split(separator);
  return parts.map((part, index) => (index < parts.length - 1 ? part + separator : part)).filter(Boolean);
}
