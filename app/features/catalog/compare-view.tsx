import { useEffect, useRef } from "react";
import { Breadcrumbs } from "#app/ui/breadcrumbs.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { AlertIcon, PhoneIcon } from "#app/ui/icons.tsx";
import { Link } from "#app/ui/link.tsx";
import { categories, categoryByDevice } from "../listings/category.rules.ts";
import { deviceName } from "../listings/device-variant.rules.ts";
import type { ComparedPhone, CompareQuery } from "./compare.rules.ts";
import { CompareTable, compareHeadingId } from "./compare-table.tsx";
import { updateSelectedPhones } from "./selected-phones.ts";

export function CompareView({
  query,
  isTruncated,
  phones,
  viewerId,
}: {
  query: CompareQuery;
  isTruncated: boolean;
  phones: ComparedPhone[];
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
      {isTruncated && <Notice>Only the first four devices are compared.</Notice>}
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
    updateSelectedPhones((selected) =>
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
    ? "1 device is no longer listed and was left out."
    : `${count} devices are no longer listed and were left out.`;
}

function TooFew({ phone }: { phone: ComparedPhone | undefined }) {
  const lists = phone ? [categoryByDevice(phone)] : categories;
  return (
    <EmptyState
      icon={<PhoneIcon className="size-10" />}
      title={phone ? "Select at least two devices" : "Select devices to compare"}
      text={
        phone
          ? `Select at least one more device to compare with ${deviceName(phone)}.`
          : "Select Compare on two to four devices in a list, then press Compare below the list."
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
