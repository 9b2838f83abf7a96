-- Until a deployment is complete, the old Worker cannot show or make decisions of moderators.
ALTER TABLE `decisions` RENAME COLUMN "answer" TO "appeal";--> statement-breakpoint
ALTER TABLE `decisions` RENAME COLUMN "answered_at" TO "appealed_at";--> statement-breakpoint
DROP INDEX `decisions_answered`;--> statement-breakpoint
CREATE INDEX `decisions_appealed` ON `decisions` (`appealed_at`) WHERE "decisions"."appealed_at" is not null and "decisions"."ended_at" is null;