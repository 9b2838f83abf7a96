import { getFormProps, type SubmissionResult } from "@conform-to/react";
import { Form, Link } from "@remix-run/react";
import { SubmitBar } from "#app/ui/button.tsx";
import { ChoiceField } from "#app/ui/choice-field.tsx";
import { useDateLabels } from "#app/ui/date-label.ts";
import { Dialog } from "#app/ui/dialog.tsx";
import { FieldGroup, FormErrors, ReadOnlyField } from "#app/ui/field.tsx";
import { useSchemaForm } from "#app/ui/use-schema-form.ts";
import { ListingPicture, type Picture } from "../listings/listing-picture.tsx";
import type { PublishedListing } from "../listings/listings.server.ts";
import { priceLabel } from "../listings/money.rules.ts";
import { FreeAgainForm } from "../saved-listings/free-again-form.tsx";
import {
  anotherAddress,
  bookingFormSchema,
  maxAddresses,
  mayPickUp,
  pickUpChoice,
} from "./booking.schema.ts";
import type { BookingRefusal } from "./booking-refusal.ts";
import { bookingRefusalText } from "./booking-refusal.ts";
import { DeliveryFields } from "./delivery-form.tsx";
import type { SavedAddress } from "./saved-addresses.server.ts";

const pickUpOption = {
  value: pickUpChoice,
  label: "I’ll pick it up",
  description: "Agree on place and time in Messages. The seller gets no address.",
};

/** What is shown of a device while the dialog of its booking loads. */
export type BookedDevice = Picture & {
  id: string;
  brandName: string;
  model: string;
  ram: string;
  rom: string;
  sellingCents: number;
};

/** The dialog of a booking while its data load; without a device nothing. */
export function BookingPreview({
  device,
  closeTo,
}: {
  device: (BookedDevice & { name: string }) | undefined;
  closeTo: string;
}) {
  if (!device) return null;
  const { ram, rom, sellingCents, name } = device;
  return (
    <Dialog title={name} closeTo={closeTo}>
      <div className={columns}>
        <div className={bookedDevice} aria-busy="true">
          <BookedPicture picture={device} />
          <div className={deviceFacts}>
            <ReadOnlyField name="ram" label="Ram" value={ram} isRow />
            <ReadOnlyField name="rom" label="Rom" value={rom} isRow />
            <ReadOnlyField name="price" label="Price" value={priceLabel(sellingCents)} isRow />
          </div>
        </div>
        {/* Nearer to the height of the form, which comes next. */}
        <p role="status" className="delayed-fade-in flex min-h-52 items-start gap-3">
          <span className="spinner size-6 text-primary" />
          Loading…
        </p>
      </div>
    </Dialog>
  );
}

/** On a handset the message of a login, which lies over the title, is higher than that. */
const bookedDevice = "grid grid-cols-[5rem_minmax(0,1fr)] gap-3 pt-8 sm:pt-0";
const deviceFacts = "grid grid-cols-[auto_minmax(0,1fr)] content-center gap-x-3";
/**
 * On a wide screen device and payment are left of the delivery, so that all is in view above the button; on a handset
 * the delivery, which is to be chosen, comes before the payment.
 */
const columns = "grid gap-6 lg:grid-cols-2 lg:grid-rows-[auto_1fr] lg:gap-x-8";

function BookedPicture({ picture }: { picture: Picture }) {
  return (
    <div className="self-start rounded-box bg-base-200 p-2 sm:p-3">
      <ListingPicture picture={picture} eager />
    </div>
  );
}

/** The form to book a phone. Only address and phone are editable. */
export function BookingForm({
  phone,
  listedCents,
  buyer,
  delivery,
  addresses,
  isProtected,
  paymentLines,
  lastResult,
}: {
  phone: Pick<PublishedListing, "ram" | "rom" | "sellingCents" | "delivery" | keyof Picture>;
  /** The price of the listing, which an accepted offer may be below. */
  listedCents: number;
  buyer: { name: string; email: string };
  /** Of the buyer's last order. */
  delivery: { address: string; phone: string } | null;
  /** Those that the buyer has saved. */
  addresses: SavedAddress[];
  /** Whether the buyer pays now, and the money is held. */
  isProtected: boolean;
  paymentLines: string[];
  lastResult: SubmissionResult<string[]> | undefined;
}) {
  // Another address than the saved ones is a new one.
  const lastDelivery = addresses.length === 0 ? delivery : null;
  const canPickUp = mayPickUp(phone.delivery);
  const isPickedUp = phone.delivery === "in person";
  const [form, fields] = useSchemaForm(bookingFormSchema(phone.delivery), {
    id: "booking",
    lastResult,
    defaultValue: {
      ...lastDelivery,
      savedAddress: isPickedUp ? pickUpChoice : (addresses[0]?.id ?? anotherAddress),
    },
  });
  const deliveryFields = (
    <div className="grid gap-5">
      {lastDelivery && (
        <p className="text-sm text-quiet">From your last order. Change it if this one goes somewhere else.</p>
      )}
      <DeliveryFields address={fields.address} phone={fields.phone} />
      {addresses.length < maxAddresses && (
        <label className="flex cursor-pointer gap-3">
          <input
            type="checkbox"
            name={fields.saveAddress.name}
            defaultChecked={fields.saveAddress.initialValue === "on"}
            className="mt-0.5 size-5 shrink-0 accent-primary"
          />
          Save it for my next booking
        </label>
      )}
    </div>
  );
  const addressChoices = [
    ...addresses.map(({ id, address, phone }) => ({ value: id, label: address, description: phone })),
    {
      value: anotherAddress,
      label: addresses.length > 0 ? "Another address" : "Send it to an address",
      fields: deliveryFields,
    },
  ];
  // First, since the fields of an address are long.
  const choices = canPickUp ? [pickUpOption, ...addressChoices] : addressChoices;

  return (
    <Form method="post" preventScrollReset {...getFormProps(form)}>
      <div className="grid gap-6 pb-6">
        <input type="hidden" name="account" value={buyer.email} />
        <input type="hidden" name="shownCents" value={phone.sellingCents} />
        <FormErrors form={form} labels={{ savedAddress: "Delivery", address: "Address", phone: "Phone" }} />
        <div className={columns}>
          <div className={bookedDevice}>
            <BookedPicture picture={phone} />
            <div className={deviceFacts}>
              <ReadOnlyField name="ram" label="Ram" value={phone.ram} isRow />
              <ReadOnlyField name="rom" label="Rom" value={phone.rom} isRow />
              <ReadOnlyField name="price" label="Price" value={priceLabel(phone.sellingCents)} isRow />
              {phone.sellingCents < listedCents && (
                <p className="col-span-2 mb-1 text-sm text-quiet">
                  Your accepted offer. Listed at <s>{priceLabel(listedCents)}</s>
                </p>
              )}
              <ReadOnlyField name="name" label="Name" value={buyer.name} isRow />
              <ReadOnlyField name="email" label="Email" value={buyer.email} isRow />
            </div>
          </div>
          <div className="lg:col-start-2 lg:row-span-2">
            <FieldGroup title="Delivery">
              {addresses.length === 0 && !canPickUp ? (
                deliveryFields
              ) : (
                <ChoiceField field={fields.savedAddress} label="Where should it go?" choices={choices} />
              )}
            </FieldGroup>
          </div>
          <FieldGroup title={isProtected ? "Protected payment" : "Payment"}>
            {paymentLines.map((line) => (
              <p key={line} className="text-pretty">
                {line}
              </p>
            ))}
          </FieldGroup>
        </div>
      </div>
      <SubmitBar>
        {isProtected ? "Book and pay" : "Book for"} {priceLabel(phone.sellingCents)}
      </SubmitBar>
    </Form>
  );
}

const hints: Partial<Record<BookingRefusal["reason"], string>> = {
  reserved: "Another buyer reserved it. If they cancel, you can book it.",
  sold: "There may be others like it in the list.",
  "own phone": "You can edit or delete it under My Sells.",
};

/** Replaces the booking form when the phone cannot be booked. */
export function BookingRefusalNotice({
  phoneId,
  refusal,
  waitText,
  agreedText,
  wasSubmitted,
  backTo,
}: {
  phoneId: string;
  refusal: BookingRefusal;
  /** Why the buyer couldn’t book it if it were free again; see `withTimes`. */
  waitText: string | null;
  /** Says more, if the buyer has an accepted offer. */
  agreedText: string | null;
  /** Whether the form was refused, so that the buyer lost it to a faster one. */
  wasSubmitted: boolean;
  backTo: string;
}) {
  const { reason } = refusal;
  const { recentLabel, withTimes } = useDateLabels();
  const hint = waitText === null ? hints[reason] : withTimes(waitText);
  return (
    <div className="py-6 text-center">
      <p role="alert" className="mx-auto max-w-prose font-display text-2xl font-semibold text-balance">
        {agreedText === null
          ? bookingRefusalText(
              wasSubmitted && reason === "reserved" ? { reason: "just reserved" } : refusal,
              recentLabel,
            )
          : withTimes(agreedText)}
      </p>
      {hint && <p className="mx-auto mt-2 max-w-prose text-quiet">{hint}</p>}
      <div className="mt-6 flex flex-wrap justify-center gap-3">
        <Link to={backTo} preventScrollReset className="btn btn-primary">
          {backTo.startsWith("/phones/") ? "Back to the listing" : "Back to the list"}
        </Link>
        {"orderId" in refusal && (
          <Link to={`/manage/orders/${refusal.orderId}`} className="btn btn-outline">
            View order
          </Link>
        )}
        {reason === "too many reservations" && (
          <>
            {!refusal.isConfirmed && (
              <Link to="/manage/account" className="btn btn-outline">
                Confirm your address
              </Link>
            )}
            <Link to="/manage" className="btn btn-outline">
              View your orders
            </Link>
          </>
        )}
        {reason === "reserved" && waitText === null && (
          <FreeAgainForm phoneId={phoneId} redirectTo={backTo} />
        )}
      </div>
    </div>
  );
}
