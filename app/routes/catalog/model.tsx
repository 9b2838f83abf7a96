import { type LoaderFunctionArgs, type MetaFunction, redirect } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { cursorSearch, numberKey, parseCursor } from "#app/db/cursor.ts";
import { modelStructuredData, modelSummary } from "#app/features/catalog/model-structured-data.rules.ts";
import { ModelView } from "#app/features/catalog/model-view.tsx";
import { modelPath } from "#app/features/listings/device-variant.rules.ts";
import { linkPreviewImage } from "#app/features/listings/listing-structured-data.rules.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { errorTitle, pageTitle } from "#app/server/http/page-title.ts";
import { publicOrigin } from "#app/server/http/request.server.ts";
import { notFound } from "#app/server/http/responses.server.ts";
import { StructuredData } from "#app/server/http/structured-data.tsx";
import { forwardPage } from "./canonical-pages.rules.ts";

type Data = ReturnType<typeof useLoaderData<typeof loader>>;

export const meta: MetaFunction<typeof loader> = ({ data, error }) =>
  data
    ? pageTitle(`Used ${data.page.model.name}`, modelSummary(data.page))
    : pageTitle(errorTitle(error) ?? "Model");

export const handle: RouteHandle = {
  access: "anyone",
  cached: { search: cursorSearch(numberKey) },
  canonical: ({ params, search, data }) => {
    const page = forwardPage(parseCursor(search, numberKey));
    return data ? { address: modelPath(params.slug ?? "") + page, kind: "website" } : null;
  },
  picture: (data) => {
    const [newest] = (data as Data | undefined)?.page.phones ?? [];
    return newest ? linkPreviewImage(newest) : null;
  },
};

export const loader = withOutagePage(async ({ request, params, context }: LoaderFunctionArgs) => {
  // Public.
  const { searchParams, search } = new URL(request.url);
  const slug = params.slug ?? "";
  const cursor = parseCursor(searchParams, numberKey);
  // Loaded on demand: the Worker’s start is full.
  const { findModel, findRespelledModel } = await import("#app/features/catalog/model.server.ts");
  const page = await findModel(context.db, slug, cursor);
  if (!page) {
    const respelled = await findRespelledModel(context.db, slug);
    throw respelled ? redirect(modelPath(respelled) + search, 301) : notFound();
  }
  if (page.model.slug !== slug) throw redirect(modelPath(page.model.slug) + search, 301);
  return { page, origin: publicOrigin(context, request) };
});

export default function ModelRoute() {
  const { page, origin } = useLoaderData<typeof loader>();
  return (
    <>
      <ModelView page={page} />
      <StructuredData graph={modelStructuredData(page, origin)} />
    </>
  );
}

export { RouteError as ErrorBoundary } from "#app/frame/error-pages.tsx";
