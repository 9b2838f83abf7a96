import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useLoaderData } from "@remix-run/react";
import { requireUser } from "#app/auth/guard.server.ts";
import { isDrawing, shownImage } from "#app/features/listings/drawing.rules.ts";
import { maxPhotos } from "#app/features/photos/photo.rules.ts";
import { PhotoForm } from "#app/features/photos/photo-form.tsx";
import { PhotoList } from "#app/features/photos/photo-list.tsx";
import { findOwnPhotos } from "#app/features/photos/photos.server.ts";
import type { RouteHandle } from "#app/frame/route-handle.ts";
import { readForm } from "#app/server/forms/forms.server.ts";
import { withOutagePage } from "#app/server/http/outage.server.ts";
import { pageTitle } from "#app/server/http/page-title.ts";
import { isMultipart } from "#app/server/http/request.server.ts";
import { notFound } from "#app/server/http/responses.server.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ErrorBox, formErrorsOf } from "#app/ui/error-box.tsx";
import { CameraIcon } from "#app/ui/icons.tsx";

export const meta: MetaFunction<typeof loader> = ({ data }) =>
  pageTitle(data ? `Photos of ${data.device}` : "Photos");
export { actionHeaders as headers } from "#app/server/forms/refused-form.ts";

export const handle: RouteHandle = { access: "signed in", uploads: "files" };

export const loader = withOutagePage(async ({ request, context, params }: LoaderFunctionArgs) => {
  const viewer = await requireUser(context, request, "change photos");
  const found = await findOwnPhotos(context.db, viewer, params.phoneId ?? "");
  if (!found) throw notFound();
  const { phone, ...rest } = found;
  return {
    id: phone.id,
    device: `${phone.brandName} ${phone.model}`,
    isIllustrated: isDrawing(shownImage(phone)),
    ...rest,
  };
});

export const action = withOutagePage(async ({ request, context, params }: ActionFunctionArgs) => {
  const viewer = await requireUser(context, request, "change photos");
  const found = await findOwnPhotos(context.db, viewer, params.phoneId ?? "");
  if (!found) throw notFound();
  const { addPhotosOfForm, changePhotos } = await import("./change-photos.server.ts");
  // The body, which may be large, is read only after these checks.
  if (isMultipart(request)) return addPhotosOfForm(context, request, viewer, found.phone.id);
  return changePhotos(context, request, viewer, found.phone.id, await readForm(request));
});

export default function Photos() {
  const { id, device, isIllustrated, photos, editable } = useLoaderData<typeof loader>();
  const actionData = useActionData<typeof action>();
  const remaining = maxPhotos - photos.length;
  return (
    <>
      <BackLink to="/manage/mysells">My Sellings</BackLink>
      <h1 className="mb-2 text-2xl font-semibold wrap-anywhere sm:text-3xl">Photos of {device}</h1>
      <p className="mb-6 max-w-prose text-quiet">
        {editable
          ? `The first photo is the cover that buyers see in lists.${
              photos.length > 0
                ? ""
                : ` Until you add one, they see ${isIllustrated ? "an illustration" : "the picture from your image link"}.`
            }`
          : "This device is sold, so you can’t change its photos anymore."}
      </p>
      <RefusedPhotos messages={formErrorsOf(actionData)} />
      {editable && <PhotoForm remaining={remaining} uploadTo={`/manage/mysells/${id}/photos/upload`} />}
      <div className="mt-8">
        {photos.length > 0 ? (
          <PhotoList photos={photos} device={device} editable={editable} />
        ) : (
          <EmptyState
            icon={<CameraIcon className="size-10" />}
            title="No photos yet"
            text="Show the front, the back, and every scratch: buyers trust what they can see."
          />
        )}
      </div>
    </>
  );
}

function RefusedPhotos({ messages }: { messages: string[] }) {
  if (messages.length === 0) return null;
  return (
    <ErrorBox role="alert" className="mb-6">
      <ul>
        {messages.map((message, index) => (
          <li key={index} className="wrap-anywhere">
            {message}
          </li>
        ))}
      </ul>
    </ErrorBox>
  );
}
