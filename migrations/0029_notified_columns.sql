-- Until a deployment is complete, the old Worker cannot save searches or send their alerts.
ALTER TABLE `saved_listings` RENAME COLUMN "told_cents" TO "notified_cents";--> statement-breakpoint
ALTER TABLE `saved_searches` RENAME COLUMN "untold_count" TO "pending_count";--> statement-breakpoint
ALTER TABLE `saved_searches` RENAME COLUMN "told_at" TO "notified_at";--> statement-breakpoint
DROP INDEX `saved_searches_due`;--> statement-breakpoint
CREATE INDEX `saved_searches_due` ON `saved_searches` (`frequency`,`notified_at`) WHERE "saved_searches"."pending_count" > 0;