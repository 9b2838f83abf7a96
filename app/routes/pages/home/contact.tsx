import { Link } from "@remix-run/react";
import { prefillIntent } from "#app/features/support-tickets/ticket-intent.rules.ts";
import { ConfirmPopover } from "#app/ui/confirm-popover.tsx";
import { DeviceDrawing } from "./device-drawing.tsx";

/** The specification's contact form, which has no validation and no submit behavior: its button says so, and leads to the form that is sent. */
export function ContactSection() {
  return (
    <section id="contact" aria-labelledby="contact-heading" className="page-width pt-14 sm:pt-32">
      <div className="relative grid gap-5 rounded-box bg-base-200 p-5 sm:gap-8 sm:p-10 lg:grid-cols-[5fr_6fr] lg:gap-0 lg:p-16">
        <Stamp />
        <div className="absolute bottom-0 left-0 hidden h-full w-[45%] overflow-hidden rounded-box lg:block">
          <DeviceDrawing device="sony-xperia-5-iv" className="absolute -bottom-24 -left-12 w-[30rem]" />
        </div>
        <div className="relative max-sm:pr-20 lg:pr-16">
          <h2 id="contact-heading" className="text-3xl font-semibold sm:text-5xl">
            Contact
          </h2>
          <p className="mt-3 max-w-sm sm:mt-4 sm:text-lg">
            A question about a device, an order or something you’d like to sell? Something wrong?{" "}
            <Link to="/report" className="link underline-offset-4">
              Report a problem
            </Link>
            .
          </p>
        </div>
        <form
          aria-labelledby="contact-heading"
          className="grid gap-4 sm:gap-5 lg:border-l-2 lg:border-dashed lg:border-base-300 lg:pt-12 lg:pl-16"
        >
          {/* Enter presses this one, so nothing. */}
          <button type="submit" disabled hidden />
          <div>
            <label htmlFor="contact-name" className="mb-1 block font-medium">
              Name
            </label>
            <input id="contact-name" name="name" type="text" autoComplete="name" className="input w-full" />
          </div>
          <div>
            <label htmlFor="contact-email" className="mb-1 block font-medium">
              Email
            </label>
            <input
              id="contact-email"
              name="email"
              type="email"
              autoComplete="email"
              className="input w-full"
            />
          </div>
          <div>
            <label htmlFor="contact-message" className="mb-1 block font-medium">
              Message
            </label>
            <textarea
              id="contact-message"
              name="details"
              rows={4}
              autoComplete="off"
              className="textarea w-full"
            />
          </div>
          <div>
            <ConfirmPopover
              id="contact-demo"
              label="Send message"
              className="btn-primary"
              question="Send it to our team"
              text="Nothing has been sent yet. Our team’s form opens with what you typed."
              cancel="Close"
            >
              <button
                type="submit"
                formMethod="post"
                formAction="/report"
                name="intent"
                value={prefillIntent}
                className="btn btn-primary"
              >
                Go to the report page
              </button>
            </ConfirmPopover>
          </div>
        </form>
      </div>
    </section>
  );
}

function Stamp() {
  return (
    <svg
      viewBox="0 0 84 104"
      aria-hidden="true"
      className="absolute -top-6 right-5 w-16 rotate-6 sm:-top-12 sm:right-12 sm:w-28"
    >
      <rect width="84" height="104" className="fill-plane-sky" />
      <g className="fill-none stroke-base-content" strokeWidth="1.5">
        <path d="M9 66a33 33 0 0 1 66 0M9 42a42 42 0 0 1 66 0M9 25a52 52 0 0 1 66 0" />
      </g>
      <path d="M18 66a24 24 0 0 1 48 0z" className="fill-accent" />
      <path d="M9 66h66v29H9z" className="fill-base-content" />
      <rect
        width="84"
        height="104"
        fill="none"
        strokeWidth="7"
        strokeLinecap="round"
        strokeDasharray="0 9.4"
        className="stroke-base-100"
      />
    </svg>
  );
}
