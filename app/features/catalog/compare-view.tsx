import type { ReactNode } from "react";
import { useEffect } from "react";
import { Breadcrumbs } from "#app/ui/breadcrumbs.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { AlertIcon, PhoneIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { StatusBadge, VerifiedBadge } from "../phones/badges.tsx";
import { categories, ownCategory } from "../phones/category.rules.ts";
import { PhonePicture } from "../phones/phone-picture.tsx";
import { choosePhones } from "./chosen-phones.ts";
import { type CompareQuery, type CompareRow, compareAddress, compareRows } from "./compare.rules.ts";
import type { ComparedPhone } from "./compare.server.ts";

const summaryId = "compared";

/** Phones side by side, or how to choose them. */
export function CompareView({
  query,
  isCut,
  phones,
}: {
  query: CompareQuery;
  isCut: boolean;
  phones: ComparedPhone[];
}) {
  const { ids } = query;
  useEffect(() => {
    // Lists show the same phones as chosen.
    if (ids.length > 0) choosePhones(() => ids);
  }, [ids]);
  return (
    <div className="page-width py-6 sm:py-8">
      <Breadcrumbs
        trail={[
          { to: "/", name: "Home" },
          { to: "/products", name: "All Products" },
        ]}
        here="Compare"
      />
      <h1 className="mt-6 mb-6 text-3xl font-semibold sm:text-4xl">Compare phones</h1>
      {isCut && <Notice>Only the first four phones are compared.</Notice>}
      {phones.length < ids.length && <Notice>{missingLabel(ids.length - phones.length)}</Notice>}
      {phones.length > 1 ? (
        <Comparison query={{ ...query, ids: phones.map(({ id }) => id) }} phones={phones} />
      ) : (
        <TooFew phone={phones[0]} />
      )}
    </div>
  );
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
    ? "One of the phones is no longer for sale."
    : `${count} of the phones are no longer for sale.`;
}

function TooFew({ phone }: { phone: ComparedPhone | undefined }) {
  const lists = phone ? [ownCategory(phone)] : categories;
  return (
    <EmptyState
      icon={<PhoneIcon className="size-10" />}
      title={phone ? "Choose at least two phones" : "Choose phones to compare"}
      text={
        phone
          ? `${nameOf(phone)} is the only one so far. Go back to the list and tick another beside it.`
          : "Tick Compare on two to four phones of a list, then press Compare below the list."
      }
    >
      {lists.map(({ path, name }, index) => (
        <Link key={path} to={path} className={`btn ${index === 0 ? "btn-primary" : "btn-outline"}`}>
          {phone ? "Back to the list" : name}
        </Link>
      ))}
    </EmptyState>
  );
}

function Comparison({ query, phones }: { query: CompareQuery; phones: ComparedPhone[] }) {
  const { ids, onlyDifferences } = query;
  const rows = compareRows(phones);
  const differences = rows.filter(({ differs }) => differs);
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <p id={summaryId} tabIndex={-1} className="outline-none">
          {phones.length} phones differ in {differences.length} of {rows.length} properties
          {onlyDifferences || differences.length === 0 ? "." : ", marked ≠."}
        </p>
        <Link
          to={compareAddress({ ids, onlyDifferences: !onlyDifferences })}
          preventScrollReset
          className="btn btn-outline btn-sm"
        >
          {onlyDifferences ? "All properties" : "Only differences"}
        </Link>
      </div>
      <div className="-mx-3 overflow-x-auto">
        <table className="compare-table" data-phones={phones.length}>
          <caption className="sr-only">Phones side by side</caption>
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
                  <Actions phone={phone} without={{ ...query, ids: ids.filter((id) => id !== phone.id) }} />
                </td>
              ))}
            </tr>
          </thead>
          <tbody>
            {(onlyDifferences ? differences : rows).map((row) => (
              <Row key={row.name} row={row} phones={phones} isMarked={row.differs && !onlyDifferences} />
            ))}
          </tbody>
        </table>
      </div>
      <p className="mt-6">
        <Link to="/products" className="link underline-offset-4">
          Choose other phones
        </Link>
      </p>
    </>
  );
}

function Head({ phone }: { phone: ComparedPhone }) {
  const page = `/phones/${phone.id}`;
  return (
    <>
      {/* For the pointer; keyboards and screen readers have the same link in the name. */}
      <Link to={page} tabIndex={-1} aria-hidden="true" className="block rounded-box bg-base-200 p-3">
        <PhonePicture
          image={phone.image}
          cover={phone.cover}
          deviceType={phone.deviceType}
          eager
          className="max-h-36 sm:max-h-48"
        />
      </Link>
      <Link
        to={page}
        className="mt-3 block font-display text-lg leading-snug font-semibold underline-offset-4 hover:underline"
      >
        {nameOf(phone)}
      </Link>
    </>
  );
}

function Actions({ phone, without }: { phone: ComparedPhone; without: CompareQuery }) {
  const { id, status } = phone;
  return (
    <div className="flex flex-wrap items-center gap-x-3">
      {status === "available" ? (
        <Link to={`/products/${id}/book`} className="btn btn-primary btn-sm" aria-describedby={id}>
          Buy Now
        </Link>
      ) : (
        <StatusBadge status={status} />
      )}
      <Link
        to={compareAddress(without)}
        preventScrollReset
        onClick={toSummary}
        className="link inline-flex min-h-9 items-center text-sm underline-offset-4"
        aria-label={`Remove ${nameOf(phone)}`}
      >
        Remove
      </Link>
    </div>
  );
}

/** Puts the focus where it can stay: what is pressed will be gone. */
function toSummary() {
  document.getElementById(summaryId)?.focus({ preventScroll: true });
}

function Row({ row, phones, isMarked }: { row: CompareRow; phones: ComparedPhone[]; isMarked: boolean }) {
  return (
    <tr className={isMarked ? "compare-differs" : undefined}>
      <th scope="row">
        {row.name}
        {isMarked && (
          <>
            <span aria-hidden="true"> ≠</span>
            <span className="sr-only">, differs</span>
          </>
        )}
      </th>
      {phones.map((phone, index) => (
        <td key={phone.id}>{contentOf(row, phone, row.values[index] ?? null)}</td>
      ))}
    </tr>
  );
}

function contentOf({ name }: CompareRow, phone: ComparedPhone, value: string | null): ReactNode {
  if (value === null) return <span className="text-quiet">Not stated</span>;
  if (name === "Price") return <span className="font-display text-2xl font-semibold">{value}</span>;
  if (name !== "Seller" || !phone.sellerIsHere) return value;
  return (
    <>
      <Link to={`/sellers/${phone.sellerId}`} className="link underline-offset-4">
        {value}
      </Link>{" "}
      <VerifiedBadge sellerVerified={phone.sellerVerified} />
    </>
  );
}

function nameOf({ brandName, model }: ComparedPhone): string {
  return `${brandName} ${model}`;
}
