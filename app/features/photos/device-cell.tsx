import { Link } from "@remix-run/react";
import { CameraIcon } from "#app/ui/icons.tsx";
import { photoUrl } from "./photo.rules.ts";

/** A device in the table of My Sellings: its cover links to its photos, its name to the edit page. */
export function DeviceCell({
  id,
  cover,
  device,
  mayEdit,
}: {
  id: string;
  cover: string | null;
  device: string;
  mayEdit: boolean;
}) {
  const title = `Photos of ${device}`;
  return (
    <span className="flex items-center gap-3 max-md:justify-end">
      <Link
        to={`/manage/mysells/${id}/photos`}
        aria-label={title}
        title={title}
        className="grid size-11 shrink-0 place-items-center overflow-hidden rounded-field border border-base-300 bg-base-200 hover:border-base-content"
      >
        {cover ? (
          <img
            src={photoUrl(cover, "thumbnail")}
            alt=""
            width="44"
            height="44"
            loading="lazy"
            className="size-full object-cover"
          />
        ) : (
          <CameraIcon />
        )}
      </Link>
      {mayEdit ? (
        <Link to={`/manage/mysells/${id}/edit`} aria-description="Edit listing" className="link min-w-0">
          {device}
        </Link>
      ) : (
        <span className="min-w-0">{device}</span>
      )}
    </span>
  );
}
