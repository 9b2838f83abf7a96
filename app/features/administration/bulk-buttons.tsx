import { type BulkAction, bulkActionLabels } from "./bulk.rules.ts";

/** What administrators can do with the chosen rows of a table. @param writes whether they are users, who can be written to */
export function BulkButtons({ actions, writes = false }: { actions: BulkAction[]; writes?: boolean }) {
  return (
    <>
      {actions.map((action) => (
        <button key={action} type="submit" name="action" value={action} className="btn btn-outline btn-sm">
          {bulkActionLabels[action].button}
        </button>
      ))}
      {writes && (
        <button type="submit" formAction="/manage/announcements" className="btn btn-outline btn-sm">
          Write to selected
        </button>
      )}
    </>
  );
}
