import type { SerializeFrom } from "@remix-run/cloudflare";
import { Form, Link, useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import type { NumberedPage } from "#app/db/keyset.server.ts";
import { parsePrice } from "#app/server/forms/parse-price.ts";
import { quietButton, RowAction } from "#app/ui/row-action.tsx";
import { BuyerRecordText } from "../reviews/buyer-record.tsx";
import { DashboardTable } from "../tables/dashboard-table.tsx";
import type { TableState } from "../tables/table-filters.tsx";
import { StatusBadge } from "./badges.tsx";
import {
  CardPrice,
  CardStorage,
  DeviceCell,
  DeviceStorage,
  sellingColumns,
  TablePrice,
} from "./device-columns.tsx";
import type { listDrafts } from "./drafts.server.ts";
import type { ListingRow } from "./listing-tables.server.ts";
import { specifiedPriceLabel, toAmount } from "./money.rules.ts";
import { canChangePrice, shownField } from "./price-field.rules.ts";
import { PriceField } from "./price-form.tsx";
import { saleChangeNames, saleChanges, saleChangesOf } from "./sale-change.rules.ts";

/** The specification's table of the viewer's own listings. */
export function SellingsTable({
  action,
  notice,
  filters,
  listings,
  account,
  formKey,
  empty,
}: {
  action: ReactNode;
  notice: ReactNode;
  filters: TableState | undefined;
  listings: NumberedPage<ListingRow>;
  account: string;
  /** Idempotency key of its forms. */
  formKey: string;
  empty: ReactNode;
}) {
  const { pathname, search } = useLocation();
  return (
    <>
      {/* Its fields and buttons are in the rows. */}
      <Form id={pricesForm} method="post" action="/manage/mysells/prices">
        <input type="hidden" name="back" value={pathname + search} />
        <input type="hidden" name="account" value={account} />
        <input type="hidden" name="formKey" value={formKey} />
      </Form>
      <DashboardTable
        title="My Sellings"
        action={action}
        notice={notice}
        filters={filters}
        bulk={{
          action: "/manage/mysells",
          method: "post",
          buttons: (
            <>
              {saleChangeNames.map((change) => (
                <button
                  key={change}
                  type="submit"
                  name="intent"
                  value={change}
                  className="btn btn-outline btn-sm"
                >
                  {saleChanges[change].label}
                </button>
              ))}
              <button
                type="submit"
                formMethod="get"
                formAction="/manage/mysells/prices"
                className="btn btn-outline btn-sm"
              >
                Change prices
              </button>
            </>
          ),
          label: (phone) =>
            offeredChanges(phone).length > 0 || canChangePrice(phone)
              ? `${phone.brandName} ${phone.model}`
              : null,
        }}
        isExported={false}
        columns={sellingColumns}
        table={listings}
        cells={(phone) => {
          const name = `${phone.brandName} ${phone.model}`;
          // An order keeps its price.
          const price = specifiedPriceLabel(phone.orderCents ?? phone.sellingCents);
          return [
            <span key="seller" className="inline-block wrap-anywhere md:min-w-24">
              {phone.sellerName}
            </span>,
            <DeviceCell
              key="device"
              phone={phone}
              cardHeader={
                <CardPrice price={price}>
                  <StateBadges phone={phone} />
                </CardPrice>
              }
            >
              {phone.ownNumber && <p className="text-sm text-quiet wrap-anywhere">{phone.ownNumber}</p>}
              <p className="mt-1 flex flex-wrap gap-2 empty:hidden max-md:hidden">
                <StateBadges phone={phone} />
              </p>
              {phone.buyerRecord && (
                <p className="text-sm text-quiet">
                  Buyer: <BuyerRecordText record={phone.buyerRecord} />
                </p>
              )}
            </DeviceCell>,
            <DeviceStorage key="storage" ram={phone.ram} rom={phone.rom} />,
            canChangePrice(phone) ? (
              <PriceCell key="price" phone={phone} name={name} />
            ) : (
              <TablePrice key="price" price={price} />
            ),
            <div
              key="action"
              className="flex flex-wrap items-center gap-2 max-md:justify-end md:min-w-44 md:text-sm"
            >
              <SellerLinks phone={phone} name={name} />
              {phone.status !== "reserved" && (
                <RowAction id={phone.id} target={name}>
                  Delete
                </RowAction>
              )}
              {offeredChanges(phone).map((change) => (
                <RowAction key={change} id={phone.id} intent={change} target={name}>
                  {saleChanges[change].label}
                </RowAction>
              ))}
              <RowAction id={phone.id} intent="sell similar" target={name} fields={{ formKey }}>
                Sell similar
              </RowAction>
            </div>,
          ];
        }}
        empty={empty}
      />
    </>
  );
}

/** The same table of the listings that the viewer has begun. */
export function DraftsTable({
  action,
  notice,
  drafts,
  seller,
  isEditable,
  empty,
}: {
  action: ReactNode;
  notice: ReactNode;
  drafts: SerializeFrom<Awaited<ReturnType<typeof listDrafts>>>;
  seller: { name: string; email: string };
  isEditable: boolean;
  empty: ReactNode;
}) {
  return (
    <DashboardTable
      title="My Sellings"
      action={action}
      notice={notice}
      columns={sellingColumns}
      table={{ rows: drafts, firstNumber: 1, previous: null, next: null, isFirstPage: true }}
      cells={({ id, name, ram, rom, sellingPrice }) => {
        const cents = parsePrice(sellingPrice);
        const price = cents === null ? "" : specifiedPriceLabel(cents);
        return [
          seller.name,
          <div key="device">
            {price && <CardPrice price={price} />}
            {name || "Add brand and model"}
            <CardStorage ram={ram} rom={rom} />
          </div>,
          <DeviceStorage key="storage" ram={ram} rom={rom} />,
          <TablePrice key="price" price={price} />,
          isEditable && (
            <div
              key="action"
              className="flex flex-wrap items-center gap-2 max-md:justify-end md:min-w-44 md:text-sm"
            >
              <Link to={`/addphone?draft=${id}`} aria-description={name} className="link py-1">
                Finish
              </Link>
              <Form method="post" action="/addphone">
                <input type="hidden" name="account" value={seller.email} />
                <input type="hidden" name="formKey" value={id} />
                <button
                  type="submit"
                  name="intent"
                  value="delete draft"
                  aria-description={name}
                  className={`btn btn-sm ${quietButton}`}
                >
                  Delete
                </button>
              </Form>
            </div>
          ),
        ];
      }}
      empty={empty}
    />
  );
}

const pricesForm = "prices";

/** The price, which opens a field. Each button saves all prices that were changed. */
function PriceCell({ phone: { id, sellingCents }, name }: { phone: ListingRow; name: string }) {
  return (
    <details key={sellingCents}>
      <summary className="link max-md:text-right" aria-description={`Change the price of ${name}`}>
        <TablePrice price={specifiedPriceLabel(sellingCents)} />
        <span className="md:hidden">Change price</span>
      </summary>
      <input type="hidden" form={pricesForm} name={shownField(id)} value={sellingCents} />
      <div className="mt-2 flex gap-2">
        <PriceField id={id} name={name} value={String(toAmount(sellingCents))} form={pricesForm} />
        <button type="submit" form={pricesForm} aria-description={name} className="btn btn-outline btn-sm">
          Save
        </button>
      </div>
    </details>
  );
}

/** What hides a listing has to end first. */
function offeredChanges(phone: ListingRow) {
  return phone.decisionId || phone.returnedFrom ? [] : saleChangesOf(phone);
}

/** What a seller sees at once of a listing. */
function StateBadges({
  phone: { status, isHandedOver, soldElsewhere, returnedFrom },
}: {
  phone: ListingRow;
}) {
  return (
    <>
      {soldElsewhere ? (
        <span className="badge border-base-300">Sold elsewhere</span>
      ) : isHandedOver ? (
        <span className="badge border-base-300 font-medium">Handed over</span>
      ) : (
        <StatusBadge status={status} />
      )}
      {returnedFrom && <span className="badge border-base-300 font-medium">Order ended, not listed</span>}
    </>
  );
}

/** What its seller can do with a listing, besides deleting it. */
function SellerLinks({
  phone: { id, status, orderId, decisionId, hiddenBy, returnedFrom },
  name,
}: {
  phone: ListingRow;
  name: string;
}) {
  const isEditable = status !== "sold" && !decisionId;
  const links = [
    decisionId && {
      to: `/manage/decisions/${decisionId}`,
      label: hiddenBy === "hold" ? "Held for approval" : "Hidden: see why",
    },
    isEditable && {
      to: `/manage/mysells/${id}/edit`,
      label: returnedFrom ? "List it again" : "Edit",
    },
    (isEditable || hiddenBy === "hold") && { to: `/manage/mysells/${id}/photos`, label: "Photos" },
    (orderId ?? returnedFrom) && { to: `/manage/orders/${orderId ?? returnedFrom}`, label: "View order" },
  ];
  return (
    <>
      {links.map(
        (link) =>
          link && (
            <Link key={link.to} to={link.to} aria-description={name} className="link py-1">
              {link.label}
            </Link>
          ),
      )}
    </>
  );
}
