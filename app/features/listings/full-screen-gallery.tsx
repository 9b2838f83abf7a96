import { Link, useLocation, useNavigate } from "@remix-run/react";
import { type KeyboardEvent, type MouseEvent, type UIEvent, useEffect, useRef, useState } from "react";
import { useModal } from "#app/ui/dialog.tsx";
import { useHydrated } from "#app/ui/hydrated.ts";
import { ChevronDownIcon, CloseIcon } from "#app/ui/icons.tsx";
import { ToastRegion } from "#app/ui/toast.tsx";
import type { Pictures } from "./listing-gallery.tsx";

/** The pictures of a listing on the whole screen. The URL's fragment names the one that is shown. */
export function FullScreenGallery({ kind, pictures, closeTo }: Pictures & { closeTo: string }) {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const hydrated = useHydrated();
  const { dialog, focused: list, closeOnClick, onCancel } = useModal<HTMLUListElement>(closeTo);
  const [zoomed, setZoomed] = useState<number>();
  const named = Math.max(
    pictures.findIndex((_, index) => hash === fragmentOf(index)),
    0,
  );
  const shown = useRef(0);

  useEffect(() => {
    if (named !== shown.current) scrollToPicture(named, "instant");
  }, [named]);

  function scrollToPicture(index: number, behavior?: ScrollBehavior) {
    const { current } = list;
    current?.scrollTo({ left: index * current.clientWidth, behavior });
  }

  function onScroll({ currentTarget: { scrollLeft, clientWidth } }: UIEvent) {
    const index = Math.round(scrollLeft / clientWidth);
    if (index === shown.current) return;
    shown.current = index;
    setZoomed(undefined);
    const to = fragmentOf(index);
    if (to !== hash) navigate({ hash: to }, { replace: true, preventScrollReset: true });
  }

  /** Shows a picture, and moves the focus to its control of the same direction, or to the only one. */
  function step(to: number, direction: Direction) {
    const frame = list.current?.children[to];
    if (!frame) return;
    scrollToPicture(to);
    const controls = [...frame.querySelectorAll<HTMLElement>(".full-screen-step")];
    const same = controls.find((control) => control.getAttribute("aria-label") === direction);
    (same ?? controls[0])?.focus({ preventScroll: true });
  }

  function onKeyDown(event: KeyboardEvent) {
    const direction = directionOfKey[event.key];
    // In a picture at twice the size, the keys scroll.
    if (!direction || event.altKey || event.ctrlKey || event.metaKey || zoomed !== undefined) return;
    event.preventDefault();
    step(shown.current + (direction === "Next" ? 1 : -1), direction);
  }

  function zoom(event: MouseEvent<HTMLElement>, index: number) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    const frame = event.currentTarget.closest("li");
    // A key has no position.
    const [x, y] = event.detail ? [event.clientX, event.clientY] : [innerWidth / 2, innerHeight / 2];
    setZoomed(zoomed === index ? undefined : index);
    // At twice the size, this keeps the same spot under the pointer.
    requestAnimationFrame(() => frame?.scrollTo(x, y));
  }

  return (
    <dialog
      ref={dialog}
      open
      className={kind === "photo" ? "full-screen" : "full-screen full-screen-illustrations"}
      aria-label={kind === "photo" ? "Photos" : "Illustrations"}
      onCancel={onCancel}
    >
      <ToastRegion />
      <div>
        <ul ref={list} tabIndex={-1} onScroll={onScroll} onKeyDown={onKeyDown}>
          {pictures.map(({ src, alt, width, height }, index) => (
            <li key={src} id={`view-${index + 1}`} className={zoomed === index ? "zoomed" : undefined}>
              {/* Without JavaScript a link to the picture alone, which browsers can zoom. */}
              <a
                href={src}
                className="labelled-picture"
                onClick={(event) => zoom(event, index)}
                {...(hydrated && {
                  role: "button",
                  "aria-pressed": zoomed === index,
                  onKeyDown: clickOnSpace,
                })}
              >
                <img
                  src={src}
                  alt={alt}
                  width={width}
                  height={height}
                  loading="lazy"
                  decoding="async"
                  className={kind === "photo" ? undefined : "phone-drawing"}
                />
                <span className="sr-only">Zoom</span>
              </a>
              {pictures.length > 1 && (
                <p id={`count-${index + 1}`} className="full-screen-count">
                  {index + 1} of {pictures.length}
                </p>
              )}
              {index > 0 && <Step to={index - 1} direction="Previous" onStep={step} />}
              {index < pictures.length - 1 && <Step to={index + 1} direction="Next" onStep={step} />}
            </li>
          ))}
        </ul>
        <Link
          to={closeTo}
          preventScrollReset
          onClick={closeOnClick}
          className="full-screen-close"
          aria-label="Close"
        >
          <CloseIcon />
        </Link>
      </div>
    </dialog>
  );
}

type Direction = "Previous" | "Next";

const directionOfKey: Record<string, Direction> = { ArrowLeft: "Previous", ArrowRight: "Next" };

const fragmentOf = (index: number) => `#view-${index + 1}`;

/** As buttons do. */
function clickOnSpace(event: KeyboardEvent<HTMLElement>) {
  if (event.key !== " ") return;
  event.preventDefault();
  event.currentTarget.click();
}

function Step({
  to,
  direction,
  onStep,
}: {
  to: number;
  direction: Direction;
  onStep: (to: number, direction: Direction) => void;
}) {
  const index = direction === "Next" ? to - 1 : to + 1;
  return (
    <a
      href={fragmentOf(to)}
      className={`full-screen-step full-screen-${direction.toLowerCase()}`}
      aria-label={direction}
      aria-describedby={`count-${index + 1}`}
      onClick={(event) => {
        event.preventDefault();
        onStep(to, direction);
      }}
    >
      <ChevronDownIcon className="size-6" />
    </a>
  );
}
