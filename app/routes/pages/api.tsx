import type { LinksFunction, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { brand } from "#app/brand.ts";
import { isPermission, moderatorsMay } from "#app/features/accounts/permissions.ts";
import stylesheet from "#app/features/pages/page-text.css?url";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { ChevronDownIcon } from "#app/ui/icons.tsx";
import { Basics } from "./api/basics.tsx";
import type { ApiReference, FieldReference, OperationReference } from "./api/reference.server.ts";

export const meta: MetaFunction = () =>
  pageTitle(
    "REST API",
    `The REST API of ${brand.name}: every operation with its parameters, responses and errors.`,
  );

export const handle: RouteHandle = {
  access: "anyone",
  cached: {},
  canonical: () => ({ address: "/api", kind: "website" }),
};

export const links: LinksFunction = () => [{ rel: "stylesheet", href: stylesheet }];

export async function loader({ context }: LoaderFunctionArgs) {
  // Public.
  const [{ apiReference }, { default: basics }] = await Promise.all([
    import("./api/reference.server.ts"),
    import("./api/basics.md"),
  ]);
  return { ...apiReference(context.apiPaths), basics };
}

export default function Api() {
  const { tags, records, basics } = useLoaderData<typeof loader>();
  return (
    <div className="page-width grid gap-x-16 py-8 sm:py-12 lg:grid-cols-[15rem_minmax(0,1fr)]">
      <h1 className="text-3xl font-semibold sm:text-4xl lg:col-start-2">REST API</h1>
      <Contents tags={tags} records={records} />
      <div className="min-w-0">
        <Basics sections={basics} />
        {tags.map(({ name, operations }) => (
          <section key={name} aria-labelledby={sectionId(name)} className="mt-14">
            <h2 id={sectionId(name)} className="mb-6 scroll-mt-24 text-3xl font-semibold">
              {name}
            </h2>
            <div className="grid gap-10">
              {operations.map((operation) => (
                <OperationCard key={operation.id} operation={operation} />
              ))}
            </div>
          </section>
        ))}
        <section aria-labelledby={sectionId("Records")} className="mt-14">
          <h2 id={sectionId("Records")} className="mb-6 scroll-mt-24 text-3xl font-semibold">
            Records
          </h2>
          <div className="grid gap-10">
            {records.map(({ name, fields }) => (
              <section key={name} id={name} aria-label={name} className="scroll-mt-24">
                <h3 className="text-xl font-semibold">{name}</h3>
                <FieldList fields={fields} />
              </section>
            ))}
          </div>
        </section>
      </div>
    </div>
  );
}

function Contents({ tags, records }: ApiReference) {
  const sections = [
    ...tags.map(({ name, operations }) => ({
      name,
      entries: operations.map(({ id, summary }) => ({ id, text: summary })),
    })),
    { name: "Records", entries: records.map(({ name }) => ({ id: name, text: name })) },
  ];
  return (
    <nav
      aria-label="On this page"
      className="mt-6 text-sm lg:sticky lg:top-below-bars lg:col-start-1 lg:row-span-2 lg:row-start-1 lg:mt-0 lg:max-h-[calc(100dvh-8rem)] lg:self-start lg:overflow-y-auto lg:pr-4"
    >
      <ul className="flex flex-wrap gap-x-6 gap-y-1 lg:grid lg:gap-5">
        {sections.map(({ name, entries }) => (
          <li key={name}>
            <a href={`#${sectionId(name)}`} className="inline-block py-1 font-semibold hover:underline">
              {name}
            </a>
            <ul className="max-lg:hidden">
              {entries.map(({ id, text }) => (
                <li key={id}>
                  <a href={`#${id}`} className="inline-block py-1 hover:underline">
                    {text}
                  </a>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function sectionId(name: string): string {
  return `about-${name.toLowerCase().replaceAll(" ", "-")}`;
}

function accessText(access: string): string {
  if (access === "anyone") return "Open to anyone.";
  if (access === "signed in") return "For logged-in users.";
  return isPermission(access) && moderatorsMay(access)
    ? "For moderators and administrators."
    : "For administrators.";
}

/** The text of the OpenAPI document, in which code stands between backticks. */
function withCode(text: string): ReactNode[] {
  return text.split("`").map((part, index) => (index % 2 ? <code key={index}>{part}</code> : part));
}

function OperationCard({ operation }: { operation: OperationReference }) {
  const { id, method, path, summary, description, access, needsSession } = operation;
  const { parameters, body, example, fileTypes, response, errors } = operation;
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="scroll-mt-16 border-t border-base-300 pt-6">
      <h3 id={`${id}-title`} className="text-xl font-semibold">
        {summary}
      </h3>
      <p className="mt-2 flex flex-wrap items-baseline gap-x-3 gap-y-1 font-mono text-sm">
        <strong className="rounded-field bg-neutral px-2 py-0.5 text-neutral-content">{method}</strong>
        <span className="wrap-anywhere">{path}</span>
      </p>
      {description && <p className="mt-3 max-w-prose text-quiet">{withCode(description)}</p>}
      <p className="mt-3 text-sm">
        {accessText(access)} {needsSession && "Doesn’t work with a personal access token."}
      </p>
      {parameters.length > 0 && <FieldList title="Parameters" fields={parameters} />}
      {body.length > 0 && <FieldList title="Body, as JSON" fields={body} />}
      {fileTypes.length > 0 && (
        <>
          <h4 className="mt-5 font-semibold">Body</h4>
          <p className="mt-2">A file: {fileTypes.join(", ")}.</p>
        </>
      )}
      {example && (
        <pre className="mt-3 rounded-box bg-base-200 wrap-anywhere whitespace-pre-wrap px-4 py-3 text-sm">
          <code>{example}</code>
        </pre>
      )}
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
              <dd>{withCode(reason)}</dd>
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

function FieldList({ title, fields }: { title?: string; fields: FieldReference[] }) {
  return (
    <>
      {title && <h4 className="mt-5 font-semibold">{title}</h4>}
      <ul className="mt-2 divide-y divide-base-300 rounded-box border border-base-300">
        {fields.map(({ name, type, required, description }) => (
          <li key={name} className="grid gap-x-4 gap-y-1 px-4 py-3 text-sm sm:grid-cols-[11rem_1fr]">
            <span className="font-mono wrap-anywhere">{name}</span>
            <span>
              {type}
              {!required && <span className="text-quiet"> · optional</span>}
              {description && <span className="mt-0.5 block text-quiet">{withCode(description)}</span>}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
