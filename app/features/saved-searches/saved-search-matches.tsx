import { ListingTile, tileGrid } from "../catalog/listing-card.tsx";
import type { ListingTileData } from "../listings/listings.server.ts";

/** The listings that matched a search last, first those that are new to its owner. */
export function SavedSearchMatches({
  search: { newMatchCount, matchedIds },
  matches,
}: {
  search: { newMatchCount: number; matchedIds: string[] };
  matches: ListingTileData[];
}) {
  if (matches.length === 0) {
    return <p className="max-w-prose text-quiet">Nothing new or cheaper since you saved this search.</p>;
  }
  const isNew = ({ id }: ListingTileData) => matchedIds.indexOf(id) < newMatchCount;
  return (
    <div className="grid gap-10">
      <Matches title="New or cheaper since your last visit" phones={matches.filter(isNew)} />
      <Matches title="Earlier matches" phones={matches.filter((phone) => !isNew(phone))} />
    </div>
  );
}

function Matches({ title, phones }: { title: string; phones: ListingTileData[] }) {
  if (phones.length === 0) return null;
  return (
    <section>
      <h2 className="text-2xl font-semibold">{title}</h2>
      <ul className={`mt-4 ${tileGrid}`}>
        {phones.map((phone) => (
          <ListingTile key={phone.id} phone={phone} heading="h3" />
        ))}
      </ul>
    </section>
  );
}
