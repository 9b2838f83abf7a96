import { Outlet } from "@remix-run/react";
import { RouteError } from "./error-pages.tsx";
import { SiteFrame } from "./frame.tsx";

export default function SiteLayout() {
  return (
    <SiteFrame>
      <Outlet />
    </SiteFrame>
  );
}

export function ErrorBoundary() {
  return (
    <SiteFrame>
      <RouteError />
    </SiteFrame>
  );
}
