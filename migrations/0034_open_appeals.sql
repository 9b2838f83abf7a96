DROP INDEX `decisions_appealed`;--> statement-breakpoint
CREATE INDEX `decisions_appealed` ON `decisions` (`appealed_at`) WHERE "decisions"."appealed_at" is not null;