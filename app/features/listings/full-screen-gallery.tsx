import { Link, useLocation } from "@remix-run/react";
import { type MouseEvent, useEffect, useState } from "react";
import { useModal } from "#app/ui/dialog.tsx";
import { ChevronDownIcon, CloseIcon } from "#app/ui/icons.tsx";
import { ToastRegion } from "#app/ui/toast.tsx";
import type { Pictures } from "./listing-gallery.tsx";

/** The pictures of a listing on the whole screen. The URL's fragment names the one that is shown first. */
export function FullScreenGallery({ kind, pictures, closeTo }: Pictures & { closeTo: string }) {
  const { hash } = useLocation();
  const { dialog, focused, closeOnClick, onCancel } = useModal<HTMLUListElement>(closeTo);
  const [zoomed, setZoomed] = useState<number>();

  useEffect(() => {
    const index = pictures.findIndex((_, index) => hash === `#view-${index + 1}`);
    if (index > 0) showPicture(index, "instant");
  }, [hash]);

  function showPicture(index: number, behavior?: ScrollBehavior) {
    const { current } = focused;
    current?.scrollTo({ left: index * current.clientWidth, behavior });
  }

  function zoom(event: MouseEvent<HTMLElement>, index: number) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    const frame = event.currentTarget.closest("li");
    const { clientX, clientY } = event;
    setZoomed(zoomed === index ? undefined : index);
    // At twice the size, this keeps the same spot under the pointer.
    requestAnimationFrame(() => frame?.scrollTo(clientX, clientY));
  }

  return (
    <dialog
      ref={dialog}
      open
      className={kind === "photo" ? "full-screen" : "full-screen full-screen-illustrations"}
      aria-label={kind === "photo" ? "Photos" : "Illustrations"}
      onCancel={onCancel}
    >
      <ToastRegion className="absolute inset-x-0 top-0 z-10" />
      <ul ref={focused} tabIndex={-1}>
        {pictures.map(({ src, alt, width, height }, index) => (
          <li key={src} id={`view-${index + 1}`} className={zoomed === index ? "zoomed" : undefined}>
            {/* Without JavaScript the picture alone, which browsers can zoom. */}
            <a href={src} onClick={(event) => zoom(event, index)}>
              <img src={src} alt={alt} width={width} height={height} loading="lazy" decoding="async" />
            </a>
            {index > 0 && <Step to={index - 1} label="Previous" onShow={showPicture} />}
            {index < pictures.length - 1 && <Step to={index + 1} label="Next" onShow={showPicture} />}
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
    </dialog>
  );
}

function Step({ to, label, onShow }: { to: number; label: string; onShow: (index: number) => void }) {
  return (
    <a
      href={`#view-${to + 1}`}
      className={`full-screen-step full-screen-${label.toLowerCase()}`}
      aria-label={label}
      onClick={(event) => {
        event.preventDefault();
        onShow(to);
      }}
    >
      <ChevronDownIcon className="size-6" />
    </a>
  );
}
