import { useRouteLoaderData } from "@remix-run/react";
import { may, type Permission, type Permitted } from "./permissions.ts";

/** Tells, on pages of the dashboard, whether the signed-in user may do something. Guards decide; this hides links. */
export function useMay(): (permission: Permission) => boolean {
  const permitted = useRouteLoaderData<{ permitted: Permitted }>("manage")?.permitted;
  return (permission) => permitted !== undefined && may(permitted, permission);
}
