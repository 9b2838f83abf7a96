import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { brand } from "#app/brand.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { Basics } from "./api/basics.tsx";
import { Contents, sectionId } from "./api/contents.tsx";
import { FieldList } from "./api/field-list.tsx";
import { OperationCard } from "./api/operation-card.tsx";
import { reference } from "./api/reference.server.ts";

export const meta: MetaFunction = () =>
  pageTitle(
    "REST API",
    `The REST API of ${brand.name}: every operation with its parameters, responses and errors.`,
  );

export const handle: RouteHandle = {
  canonical: () => ({ address: "/api", kind: "website" }),
};

export async function loader({ context }: LoaderFunctionArgs) {
  // Public.
  return reference(context.apiPaths);
}

export default function Api() {
  const { tags, records } = useLoaderData<typeof loader>();
  return (
    <div className="page-width grid gap-x-16 py-8 sm:py-12 lg:grid-cols-[15rem_minmax(0,1fr)]">
      <h1 className="text-3xl font-semibold sm:text-4xl lg:col-start-2">REST API</h1>
      <Contents tags={tags} records={records} />
      <div className="min-w-0">
        <Basics />
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
