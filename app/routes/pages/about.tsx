import type { MetaFunction } from "@remix-run/cloudflare";
import { brand } from "#app/brand.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { Checks } from "./about/checks.tsx";
import { Company } from "./about/company.tsx";
import { Handover } from "./about/handover.tsx";
import { Promises } from "./about/promises.tsx";
import { WhoWeAre } from "./about/who-we-are.tsx";

export const meta: MetaFunction = () =>
  pageTitle(
    "About us",
    `Who ${brand.company} is, how buying and selling a used phone works here, what we check and what we promise.`,
  );

export const handle: RouteHandle = {
  canonical: () => ({ address: "/about", kind: "website" }),
};

export default function About() {
  return (
    <>
      <WhoWeAre />
      <Handover />
      <Checks />
      <Promises />
      <Company />
    </>
  );
}
