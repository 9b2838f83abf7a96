/** The id of the form that boxes anywhere on the page belong to; see `CompareBar`. */
export const compareFormId = "compare";

/** Chooses a phone for a comparison. */
export function CompareBox({ id, name, className = "" }: { id: string; name: string; className?: string }) {
  return (
    <label className={`filter-option ${className}`.trim()}>
      <input type="checkbox" name="ids" value={id} form={compareFormId} aria-label={`Compare ${name}`} />
      Compare
    </label>
  );
}
