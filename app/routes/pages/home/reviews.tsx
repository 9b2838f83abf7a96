import { Link } from "@remix-run/react";
import { ConfirmPopover } from "#app/ui/confirm-popover.tsx";
import { DeviceDrawing } from "./device-drawing.tsx";

const reviews = [
  {
    id: "review-anouk",
    name: "Anouk Serrat",
    deal: "bought an iPhone 12 mini",
    device: "apple-iphone-12-mini",
    words:
      "I wanted a small phone, and nobody makes them anymore. Someone here had one in perfect shape. Now it’s mine.",
    look: "bg-plane-rose",
    place: "",
  },
  {
    id: "review-idris",
    name: "Idris Pellow",
    deal: "sold a Xiaomi 13",
    device: "xiaomi-13",
    words:
      "I described the scratch, asked a fair price, and it was booked before my tea was cold. Now my drawer closes again.",
    look: "bg-plane-sage",
    place: "lg:mt-16",
  },
  {
    id: "review-tove",
    name: "Tove Marlund",
    deal: "bought an iPad mini",
    device: "apple-ipad-mini-6",
    words: "It came exactly as described. That shouldn’t be worth a review, and yet here I am.",
    look: "bg-plane-sky",
    place: "lg:mt-32",
  },
];

export function Reviews() {
  return (
    <section aria-labelledby="reviews" className="page-width pt-10 sm:pt-24">
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-2">
        <h2 id="reviews" className="text-3xl font-semibold sm:text-5xl">
          Reviews
        </h2>
        <p className="text-quiet">Examples of reviews.</p>
      </div>
      <ul className="-mx-4 mt-5 flex snap-x scroll-px-4 gap-4 overflow-x-auto px-4 pb-2 *:w-76 *:shrink-0 *:snap-start sm:mx-0 sm:mt-10 sm:grid sm:gap-12 sm:overflow-visible sm:p-0 sm:*:w-auto lg:grid-cols-3 lg:gap-8">
        {reviews.map(({ id, name, deal, device, words, look, place }) => (
          <li key={id} className={`flex flex-col ${place}`}>
            <figure className="flex flex-1 flex-col">
              <blockquote className={`flex-1 rounded-[2rem] rounded-bl-none p-5 sm:p-8 sm:text-xl ${look}`}>
                <p>{words}</p>
              </blockquote>
              <figcaption id={id} className="mt-4 flex items-center gap-4">
                <DeviceDrawing device={device} className="-mx-3 w-24" />
                <span className="min-w-0">
                  <span className="block font-display text-xl font-semibold">{name}</span>
                  <span className="block text-quiet">{deal}</span>
                </span>
              </figcaption>
            </figure>
            <ConfirmPopover
              id={`${id}-demo`}
              aria-describedby={id}
              label="Add Review"
              className="btn-outline mt-4 self-start"
              question="These reviews are samples"
              text="You can review a seller once your device has arrived. You’ll find it under My Orders."
              cancel="Close"
            >
              <Link to="/manage" className="btn btn-primary">
                My Orders
              </Link>
            </ConfirmPopover>
          </li>
        ))}
      </ul>
    </section>
  );
}
