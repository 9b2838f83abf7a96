import type { Access, RouteHandle } from "#app/frame/route-handle.ts";
import routes from "#app/routes.ts";

interface PageRoute {
  id: string;
  path: string;
  access: Access;
  hasAction: boolean;
}

/** All routes but those of the API, with who may open them. */
export const pageRoutes: PageRoute[] = [];

await (async function collect(entries: typeof routes, parent: string) {
  for (const { id = "", path = "", file, children } of entries) {
    if (file.startsWith("routes/api/")) continue;
    const own = `${parent}/${path}`.replaceAll(/\/+/g, "/").replace(/(?<=.)\/$/, "");
    const { handle, action }: { handle: RouteHandle; action?: unknown } = await import(
      /* @vite-ignore */ `../../app/${file}`
    );
    pageRoutes.push({ id, path: own, access: handle.access, hasAction: action !== undefined });
    if (children) await collect(children, own);
  }
})(routes, "");
