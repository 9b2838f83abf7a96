import type { ReactNode } from "react";
import { useEffect, useRef } from "react";
import { Breadcrumbs } from "#app/ui/breadcrumbs.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { AlertIcon, PhoneIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { StatusBadge, VerifiedBadge } from "../listings/badges.tsx";
import { deviceName } from "../listings/device-variant.rules.ts";
import { ListingPicture } from "../listings/listing-picture.tsx";
import { categories, categoryByDevice } from "./category.rules.ts";
import { type CompareQuery, comparePath } from "./compare.rules.ts";
import { type ComparedListing, type CompareRow, compareRows } from "./compare-rows.rules.ts";
import { updateSelectedListings } from "./selected-listings.ts";

export function CompareView({
  query,
  isTruncated,
  phones,
  viewerId,
}: {
  query: CompareQuery;
  isTruncated: boolean;
  phones: ComparedListing[];
  viewerId: string | null;
}) {
  const { ids } = query;
  const found = phones.map(({ id }) => id);
  useSelectionOf(ids, found);
  return (
    <div className="page-width py-6 sm:py-8">
      <Breadcrumbs
        trail={[
          { to: "/", name: "Home" },
          { to: "/products", name: "All Products" },
        ]}
        here="Compare"
      />
      <h1
        id={compareHeadingId}
        tabIndex={-1}
        className="mt-6 mb-6 text-3xl font-semibold outline-none sm:text-4xl"
      >
        Compare devices
      </h1>
      {isTruncated && <Notice>You can compare four at a time. Here are the first four.</Notice>}
      {phones.length < ids.length && <Notice>{missingLabel(ids.length - phones.length)}</Notice>}
      {phones.length > 1 ? (
        <CompareTable query={{ ...query, ids: found }} phones={phones} viewerId={viewerId} />
      ) : (
        <TooFew phone={phones[0]} />
      )}
    </div>
  );
}

/**
 * Selects the compared phones on the lists too, unless the visitor has selected others: the link to the comparison may
 * come from another person.
 */
function useSelectionOf(ids: string[], found: string[]) {
  const last = useRef("");
  const [requested, shown] = [ids.join(), found.join()];
  useEffect(() => {
    const replaceable = ["", requested, last.current];
    updateSelectedListings((selected) =>
      replaceable.includes(selected.join()) ? shown.split(",").filter(Boolean) : selected,
    );
    last.current = shown;
  }, [requested, shown]);
}

function Notice({ children }: { children: string }) {
  return (
    <p className="mb-4 flex gap-3 rounded-box bg-base-200 p-4">
      <AlertIcon className="size-6 shrink-0" />
      {children}
    </p>
  );
}

function missingLabel(count: number): string {
  return count === 1
    ? "1 device is gone, so we left it out."
    : `${count} devices are gone, so we left them out.`;
}

function TooFew({ phone }: { phone: ComparedListing | undefined }) {
  const lists = phone ? [categoryByDevice(phone)] : categories;
  return (
    <EmptyState
      icon={<PhoneIcon className="size-10" />}
      title={phone ? "Select at least two devices" : "Select devices to compare"}
      text={
        phone
          ? `Pick one more to compare with ${deviceName(phone)}.`
          : "Check Compare on two to four devices, then press Compare below the list."
      }
    >
      {lists.map(({ path, name }, index) => (
        <Link key={path} to={path} className={`btn ${index === 0 ? "btn-primary" : "btn-outline"}`}>
          {phone ? `Browse ${name}` : name}
        </Link>
      ))}
    </EmptyState>
  );
}

const compareHeadingId = "compare-heading";
const summaryId = "compared";

function CompareTable({
  query,
  phones,
  viewerId,
}: {
  query: CompareQuery;
  phones: ComparedListing[];
  viewerId: string | null;
}) {
  const { ids, onlyDifferences } = query;
  const rows = compareRows(phones);
  const differences = rows.filter(({ differs }) => differs);
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <p id={summaryId} tabIndex={-1} className="outline-none">
          {differencesLabel(differences.length, rows)}
        </p>
        <Link
          to={comparePath({ ids, onlyDifferences: !onlyDifferences })}
          preventScrollReset
          className="btn btn-outline btn-sm"
        >
          {onlyDifferences ? "Show all details" : "Show only differences"}
        </Link>
      </div>
      {phones.length > 3 && (
        <p className="mb-3 text-sm text-quiet md:hidden">
          Scroll sideways to see all {phones.length} devices.
        </p>
      )}
      <div className="-mx-3 overflow-x-auto">
        <table className="compare-table" data-phones={phones.length}>
          <caption className="sr-only">Devices side by side</caption>
          <thead>
            <tr>
              <td />
              {phones.map((phone) => (
                <th key={phone.id} id={phone.id} scope="col">
                  <Head phone={phone} />
                </th>
              ))}
            </tr>
            <tr>
              <td />
              {phones.map((phone) => (
                <td key={phone.id}>
                  <Actions
                    phone={phone}
                    isOwn={phone.sellerId === viewerId}
                    without={{ ...query, ids: ids.filter((id) => id !== phone.id) }}
                  />
                </td>
              ))}
            </tr>
          </thead>
          <tbody>
            {(onlyDifferences ? differences : rows).map((row) => (
              <Row key={row.key} row={row} phones={phones} />
            ))}
          </tbody>
        </table>
      </div>
      <p className="mt-6">
        <Link to="/products" className="link underline-offset-4">
          Select other devices
        </Link>
      </p>
    </>
  );
}

function differencesLabel(differences: number, rows: CompareRow[]): string {
  if (differences === 0) return `No differences in ${rows.length} details`;
  const marked = rows.some(({ isBest }) => isBest.includes(true)) ? ". Better values are marked" : "";
  return `${differences} ${differences === 1 ? "difference" : "differences"}${marked}`;
}

function Head({ phone }: { phone: ComparedListing }) {
  const page = `/phones/${phone.id}`;
  return (
    <>
      {/* Hidden from keyboards and screen readers, which have the same link in the name. */}
      <Link
        to={page}
        tabIndex={-1}
        aria-hidden="true"
        className="labelled-picture block rounded-box bg-base-200 p-3 -outline-offset-4"
      >
        <ListingPicture picture={phone} eager className="max-h-36 sm:max-h-48" />
      </Link>
      <Link
        to={page}
        className="mt-3 block font-display leading-snug sm:text-lg font-semibold underline-offset-4 hover:underline"
      >
        {deviceName(phone)}
      </Link>
    </>
  );
}

function Actions({
  phone,
  isOwn,
  without,
}: {
  phone: ComparedListing;
  isOwn: boolean;
  without: CompareQuery;
}) {
  const { id, status } = phone;
  return (
    <div className="flex flex-wrap items-center gap-x-3">
      {status !== "available" ? (
        <StatusBadge status={status} />
      ) : isOwn ? (
        <span className="text-sm text-quiet">Your own listing</span>
      ) : (
        <Link to={`/products/${id}/book`} className="btn btn-primary btn-sm" aria-describedby={id}>
          Buy Now
        </Link>
      )}
      <Link
        to={comparePath(without)}
        preventScrollReset
        onClick={() => focusSummary(without)}
        className="link inline-flex min-h-9 items-center text-sm underline-offset-4"
        aria-label={`Remove ${deviceName(phone)}`}
      >
        Remove
      </Link>
    </div>
  );
}

/** Moves the focus, because the pressed link disappears. A single phone has no summary. */
function focusSummary({ ids }: CompareQuery) {
  document.getElementById(ids.length > 1 ? summaryId : compareHeadingId)?.focus({ preventScroll: true });
}

function Row({ row, phones }: { row: CompareRow; phones: ComparedListing[] }) {
  return (
    <tr>
      <th scope="row">{row.name}</th>
      {phones.map((phone, index) => (
        <td key={phone.id} className={row.isBest[index] ? "compare-best" : undefined}>
          {contentOf(row, phone, row.values[index] ?? null)}
          {row.isBest[index] && <span className="sr-only">, the better value</span>}
        </td>
      ))}
    </tr>
  );
}

function contentOf({ key }: CompareRow, phone: ComparedListing, value: string | null): ReactNode {
  if (value === null)
    return <span className="text-quiet">{key === "usual" ? "Not known yet" : "Not stated"}</span>;
  if (key === "price") return <span className="font-display text-2xl font-semibold">{value}</span>;
  if (key !== "seller" || !phone.sellerHasAccount) return value;
  return (
    <>
      <Link to={`/sellers/${phone.sellerId}`} className="link underline-offset-4">
        {value}
      </Link>{" "}
      <VerifiedBadge sellerVerified={phone.sellerVerified} />
    </>
  );
}
