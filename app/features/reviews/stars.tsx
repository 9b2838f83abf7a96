import { StarIcon } from "#app/ui/icons.tsx";

/** One to five stars. */
export function Stars({ stars }: { stars: number }) {
  return (
    <span className="inline-flex">
      <span className="sr-only">{stars === 1 ? "1 star" : `${stars} stars`}</span>
      {[1, 2, 3, 4, 5].map((star) => (
        <StarIcon key={star} className={`size-5 ${star <= stars ? "fill-current" : "text-quiet"}`} />
      ))}
    </span>
  );
}
