import { and, desc, eq, inArray, isNull, ne, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { Db } from "#app/db/client.server.ts";
import type { NotificationKind } from "#app/db/enums.ts";
import { decisions } from "#app/db/schema.ts";
import type { EmailFacts } from "#app/server/mail/render-email.server.tsx";
import { purgeAfterDays } from "#app/terms.ts";
import { dayLabel, dayMs } from "#app/time.ts";
import type { Viewer } from "../../accounts/viewer.ts";
import { hasHeldSales } from "../../payments/money-facts.server.ts";
import { suspendedMoneyText } from "../../payments/payout-texts.ts";
import { appealableKinds } from "./decision.rules.ts";
import { isAnswerTo, isHoldOf, isNotFinal } from "./decision-conditions.server.ts";

/** How many of the viewer's listings wait for approval: 2 also if there are more. */
export async function countHeldListings(db: Db, { id }: Viewer): Promise<number> {
  const held = await db.select({ id: decisions.id }).from(decisions).where(isHoldOf(db, id)).limit(2);
  return held.length;
}

export type OwnDecision = NonNullable<Awaited<ReturnType<typeof findOwnDecision>>>;

/** Finds a decision about the viewer's content or account, with the ruling on their appeal; null for others'. */
export async function findOwnDecision(db: Db, viewer: Viewer, id: string) {
  const ruling = alias(decisions, "ruling");
  const [[decision], [ruled]] = await Promise.all([
    db
      .select({
        id: decisions.id,
        kind: decisions.kind,
        targetKind: decisions.targetKind,
        target: decisions.target,
        reason: decisions.reason,
        until: decisions.until,
        createdAt: decisions.createdAt,
        endedAt: decisions.endedAt,
        appeal: decisions.appeal,
        appealedAt: decisions.appealedAt,
        canAppeal: sql`${isAppealable()}`.mapWith(Boolean).as("can_appeal"),
        holdsMoney: holdsMoney(db),
      })
      .from(decisions)
      .where(and(isOwn(viewer, id), ne(decisions.kind, "dismiss"))),
    db
      .select({ id: ruling.id, kind: ruling.kind, reason: ruling.reason, createdAt: ruling.createdAt })
      .from(decisions)
      .innerJoin(ruling, isAnswerTo(ruling))
      .where(isOwn(viewer, id))
      .orderBy(desc(ruling.id))
      .limit(1),
  ]);
  return decision ? { ...decision, ruling: ruled ?? null } : null;
}

/** Stores the owner's appeal, once; false if there is nothing to appeal. The same appeal sent again is stored once. */
export async function appealDecision(db: Db, viewer: Viewer, id: string, appeal: string): Promise<boolean> {
  const now = new Date();
  const [appealed, [own]] = await db.batch([
    db
      .update(decisions)
      .set({ appeal, appealedAt: now })
      .where(and(isOwn(viewer, id), isAppealable(now.getTime())))
      .returning({ id: decisions.id }),
    db.select({ appeal: decisions.appeal }).from(decisions).where(isOwn(viewer, id)),
  ]);
  return appealed.length > 0 || own?.appeal === appeal;
}

/** A column of `decisions`: whether it suspends a seller of whose orders money is held. */
function holdsMoney(db: Db) {
  const isInEffect = and(eq(decisions.kind, "suspend"), isNull(decisions.endedAt));
  return sql`${and(isInEffect, hasHeldSales(db, decisions.ownerId))}`.mapWith(Boolean).as("holds_money");
}

/** Condition on `decisions`: its owner can appeal it. */
function isAppealable(now = Date.now()) {
  const { kind, appealedAt, endedAt } = decisions;
  return and(inArray(kind, appealableKinds), isNull(appealedAt), isNull(endedAt), isNotFinal(now));
}

/** The reasons of decisions, and whether they can be appealed, for the emails about them, by the id of the notification. */
export async function findMailedReasons(
  db: Db,
  notices: { id: string; kind: NotificationKind; event: string }[],
): Promise<[id: string, facts: EmailFacts][]> {
  const idOf = ({ event }: { event: string }) => event.slice("decision ".length);
  const ofDecisions = notices.filter(({ kind }) => kind === "decision");
  if (ofDecisions.length === 0) return [];
  const found = await db
    .select({
      id: decisions.id,
      reason: decisions.reason,
      kind: decisions.kind,
      until: decisions.until,
      createdAt: decisions.createdAt,
      canAppeal: sql`${isAppealable()}`.mapWith(Boolean).as("can_appeal"),
      holdsMoney: holdsMoney(db),
    })
    .from(decisions)
    .where(inArray(decisions.id, ofDecisions.map(idOf)));
  const byId = new Map(found.map((decision) => [decision.id, decision]));
  return ofDecisions.flatMap((notice): [string, EmailFacts][] => {
    const decision = byId.get(idOf(notice));
    if (!decision) return [];
    const { reason, kind, until, createdAt, canAppeal, holdsMoney } = decision;
    const lastDay = dayLabel(new Date(createdAt.getTime() + purgeAfterDays * dayMs).toISOString());
    const facts: EmailFacts = [];
    if (reason) facts.push(["Reason", reason]);
    if (holdsMoney) facts.push(["Money", suspendedMoneyText(until?.toISOString() ?? null, dayLabel)]);
    if (canAppeal)
      facts.push(["Appeal", `You can appeal once${kind === "remove" ? `, until ${lastDay}` : ""}`]);
    return facts.length > 0 ? [[notice.id, facts]] : [];
  });
}

function isOwn(viewer: Viewer, id: string) {
  return and(eq(decisions.id, id), eq(decisions.ownerId, viewer.id));
}
