import { useEffect, useId, useRef } from "react";
import { CopyButton } from "#app/ui/copy-button.tsx";

/** The text of a new token, which is shown this once. */
export function CreatedToken({ name, token }: { name: string; token: string }) {
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  // The form is below, and without JavaScript the page opens at the top.
  useEffect(() => heading.current?.focus(), [token]);
  return (
    <section aria-labelledby={id} className="mb-8 rounded-box border border-success bg-base-200 p-5">
      <h2 id={id} ref={heading} tabIndex={-1} className="scroll-mt-24 text-xl font-semibold wrap-anywhere">
        Token “{name}” created
      </h2>
      <p className="mt-1 max-w-prose">
        Copy it now and keep it like a password. You cannot see it again, since we store only a hash of it.
      </p>
      <p className="mt-4 rounded-field border border-base-300 bg-base-100 px-4 py-3">
        <code className="wrap-anywhere select-all">{token}</code>
      </p>
      <CopyButton text={token}>Copy token</CopyButton>
    </section>
  );
}
