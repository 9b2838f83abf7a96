import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { pageTitle } from "#app/platform/page-title.ts";
import { openApiDocument } from "../rest/openapi-document.server.ts";

export const meta: MetaFunction = () => pageTitle("Calls for programs");

export async function loader({ context }: LoaderFunctionArgs) {
  // Public.
  return openApiDocument(context.calls.paths);
}

export default function Api() {
  const { paths } = useLoaderData<typeof loader>();
  return (
    <div className="page-width py-8 sm:py-12">
      <h1 className="text-3xl font-semibold sm:text-4xl">Calls for programs</h1>
      <pre>{JSON.stringify(paths, null, 1)}</pre>
    </div>
  );
}
