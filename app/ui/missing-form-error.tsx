import { ErrorBox } from "./error-box.tsx";
import { focusOnMount } from "./focus.ts";

/** Why a form was refused that the page no longer has, with what was typed into it. */
export function MissingFormError({ errors, text }: { errors: string[]; text: unknown }) {
  return (
    <ErrorBox
      ref={focusOnMount}
      role="alert"
      tabIndex={-1}
      // Without JavaScript too.
      autoFocus
    >
      <p className="text-error">{errors.join(" ")}</p>
      {typeof text === "string" && text !== "" && (
        <>
          <p className="mt-2 font-normal">Nothing was sent. You can copy what you wrote:</p>
          <blockquote dir="auto" className="mt-1 font-normal wrap-anywhere whitespace-pre-wrap">
            {text}
          </blockquote>
        </>
      )}
    </ErrorBox>
  );
}
