import { SubmitButton } from "#app/ui/button.tsx";
import { quietButton, RowAction } from "#app/ui/row-action.tsx";
import { photoUrl } from "./photo.rules.ts";
import { photoIntent } from "./photo-intent.rules.ts";

export interface ListedPhoto {
  id: string;
  width: number;
  height: number;
}

/** @param inForm whether the photos are part of a form with other fields, which their buttons submit */
export function PhotoList({
  photos,
  device,
  editable,
  inForm = false,
}: {
  photos: ListedPhoto[];
  device: string;
  editable: boolean;
  inForm?: boolean;
}) {
  const Action = inForm ? FormAction : RowAction;
  return (
    <ol aria-label="Photos" className="grid gap-4 md:grid-cols-2">
      {photos.map(({ id, width, height }, index) => {
        const name = `Photo ${index + 1}`;
        return (
          <li
            key={id}
            className={`flex min-w-0 overflow-hidden rounded-box border border-base-300 ${inForm ? "" : "flex-col"}`}
          >
            <div className={`relative bg-base-200 ${inForm ? "w-28 shrink-0 sm:w-36" : ""}`}>
              <img
                src={photoUrl(id, "card")}
                alt={`${name} of ${device}`}
                width={width}
                height={height}
                loading={index < 4 ? "eager" : "lazy"}
                className={`aspect-4/3 w-full object-contain ${inForm ? "h-full" : ""}`}
              />
              {index === 0 && (
                <span
                  className={`badge absolute border-0 bg-accent font-medium text-accent-content ${inForm ? "badge-sm top-2 left-2" : "top-3 left-3"}`}
                >
                  Cover photo
                </span>
              )}
            </div>
            {editable && (
              <div
                className={`flex flex-wrap gap-2 border-base-300 p-3 ${inForm ? "flex-1 content-center border-l" : "border-t"}`}
              >
                {index > 0 && (
                  <Action id={id} intent="left" target={name} className="btn-outline">
                    Move earlier
                  </Action>
                )}
                {index < photos.length - 1 && (
                  <Action id={id} intent="right" target={name} className="btn-outline">
                    Move later
                  </Action>
                )}
                <Action id={id} intent="remove" target={name}>
                  Remove
                </Action>
              </div>
            )}
          </li>
        );
      })}
    </ol>
  );
}

/** A button of the form around it, which keeps what is typed there. */
function FormAction({
  id,
  intent,
  target,
  className = quietButton,
  children,
}: {
  id: string;
  intent: string;
  target: string;
  className?: string;
  children: string;
}) {
  return (
    <SubmitButton
      intent={photoIntent(intent, id)}
      formNoValidate
      description={target}
      className={`btn-sm ${className}`}
    >
      {children}
    </SubmitButton>
  );
}
