DROP INDEX `notifications_unread`;--> statement-breakpoint
CREATE INDEX `notifications_unread` ON `notifications` (`user_id`,`path`) WHERE "notifications"."read_at" is null;--> statement-breakpoint
ALTER TABLE `saved_listings` ADD `told_cents` integer;--> statement-breakpoint
ALTER TABLE `saved_searches` ADD `matched_ids` text DEFAULT '[]' NOT NULL;