DROP INDEX `saved_replies_title`;--> statement-breakpoint
ALTER TABLE `saved_replies` ADD `removal_id` text;--> statement-breakpoint
CREATE UNIQUE INDEX `saved_replies_title` ON `saved_replies` (lower("title")) WHERE "saved_replies"."removal_id" is null;--> statement-breakpoint
ALTER TABLE `announcements` ADD `removal_id` text;--> statement-breakpoint
CREATE INDEX `payments_disputed` ON `payments` (`order_id`) WHERE "payments"."disputed_at" is not null and "payments"."dispute_ended_at" is null and "payments"."settled_at" is null;--> statement-breakpoint
-- drizzle-kit can't express these: parts of a report's number, as of an order's.
CREATE INDEX `reports_number` ON `reports` (substr("id", -12));
--> statement-breakpoint
CREATE INDEX `reports_number_groups` ON `reports` (substr("id", -8));
--> statement-breakpoint
CREATE INDEX `reports_last_group` ON `reports` (substr("id", -4));
