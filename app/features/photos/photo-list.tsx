import { RowAction } from "#app/ui/row-action.tsx";
import { photoUrl } from "./photo.rules.ts";

export function PhotoList({
  photos,
  device,
  editable,
}: {
  photos: { id: string; width: number; height: number }[];
  device: string;
  editable: boolean;
}) {
  return (
    <ol aria-label="Photos" className="grid gap-4 md:grid-cols-2">
      {photos.map(({ id, width, height }, index) => {
        const name = `Photo ${index + 1}`;
        return (
          <li key={id} className="flex min-w-0 flex-col overflow-hidden rounded-box border border-base-300">
            <div className="relative bg-base-200">
              <img
                src={photoUrl(id, "card")}
                alt={`${name} of ${device}`}
                width={width}
                height={height}
                loading={index < 4 ? "eager" : "lazy"}
                className="aspect-4/3 w-full object-contain"
              />
              {index === 0 && (
                <span className="badge absolute top-3 left-3 border-0 bg-accent font-medium text-accent-content">
                  Cover photo
                </span>
              )}
            </div>
            {editable && (
              <div className="flex flex-wrap gap-2 border-t border-base-300 p-3">
                {index > 0 && (
                  <RowAction id={id} intent="left" target={name} className="btn-outline">
                    Move earlier
                  </RowAction>
                )}
                {index < photos.length - 1 && (
                  <RowAction id={id} intent="right" target={name} className="btn-outline">
                    Move later
                  </RowAction>
                )}
                <RowAction id={id} intent="remove" target={name}>
                  Remove
                </RowAction>
              </div>
            )}
          </li>
        );
      })}
    </ol>
  );
}
