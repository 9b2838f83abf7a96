import { ChevronDownIcon } from "#app/ui/icons.tsx";
import { FieldList } from "./field-list.tsx";
import type { OperationReference } from "./reference.server.ts";

function accessText(access: string): string {
  if (access === "anyone") return "Open to anyone.";
  return access === "signed in" ? "For logged-in users." : "For administrators.";
}

export function OperationCard({ operation }: { operation: OperationReference }) {
  const { id, method, path, summary, description, access, needsSession, parameters, body, response, errors } =
    operation;
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="scroll-mt-16 border-t border-base-300 pt-6">
      <h3 id={`${id}-title`} className="text-xl font-semibold">
        {summary}
      </h3>
      <p className="mt-2 flex flex-wrap items-baseline gap-x-3 gap-y-1 font-mono text-sm">
        <strong className="rounded-field bg-neutral px-2 py-0.5 text-neutral-content">{method}</strong>
        <span className="wrap-anywhere">{path}</span>
      </p>
      {description && <p className="mt-3 max-w-prose text-quiet">{description}</p>}
      <p className="mt-3 text-sm">
        {accessText(access)} {needsSession && "Not with a personal access token."}
      </p>
      {parameters.length > 0 && <FieldList title="Parameters" fields={parameters} />}
      {body.length > 0 && <FieldList title="Body, as JSON" fields={body} />}
      <h4 className="mt-5 font-semibold">Response</h4>
      {response.fields.length > 0 ? (
        <FieldList fields={response.fields} />
      ) : (
        <p className="mt-2">
          <RecordLink type={response.type} />
        </p>
      )}
      <details className="group mt-5">
        <summary className="flex w-fit cursor-pointer items-center gap-1.5 py-1 font-semibold">
          Errors <ChevronDownIcon className="size-4 group-open:rotate-180" />
        </summary>
        <dl className="mt-2 grid grid-cols-[3.5rem_1fr] gap-y-2 text-sm">
          {errors.map(({ status, reason }) => (
            <div key={status} className="contents">
              <dt className="font-mono">{status}</dt>
              <dd>{reason}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  );
}

/** Links the record's name in a type such as "list of Listing". */
function RecordLink({ type }: { type: string }) {
  const name = type.split(" ").at(-1) ?? "";
  return (
    <>
      {type.slice(0, -name.length)}
      <a href={`#${name}`} className="link">
        {name}
      </a>
    </>
  );
}
