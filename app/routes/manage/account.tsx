import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useLoaderData } from "@remix-run/react";
import { PasskeySection } from "#app/features/accounts/passkey-section.tsx";
import { pageTitle } from "#app/platform/page-title.ts";
import { makePasskey } from "../account/passkey-ceremony.ts";
import { requireViewer } from "../guard.server.ts";
import { passkeySection } from "./passkey-section.server.ts";

export const meta: MetaFunction = () => pageTitle("My account");

export async function loader({ request, context }: LoaderFunctionArgs) {
  const viewer = await requireViewer(context, request);
  return { passkeys: await passkeySection(context, request, viewer) };
}

export default function MyAccount() {
  const { passkeys } = useLoaderData<typeof loader>();
  return (
    <>
      <h1 className="mb-6 text-3xl font-semibold">My account</h1>
      <PasskeySection {...passkeys} make={makePasskey} />
    </>
  );
}
