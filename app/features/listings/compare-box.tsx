/** The id of the form in `CompareBar`, which all checkboxes on the page belong to. */
export const compareFormId = "compare";

export function CompareBox({ id, name, className = "" }: { id: string; name: string; className?: string }) {
  return (
    <label className={`filter-option ${className}`.trim()}>
      <input type="checkbox" name="ids" value={id} form={compareFormId} aria-label={`Compare ${name}`} />
      Compare
    </label>
  );
}
