CREATE TABLE `content_reports` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`target_id` text NOT NULL,
	`owner_id` text NOT NULL,
	`reporter_id` text NOT NULL,
	`reason` text NOT NULL,
	`details` text NOT NULL,
	`created_at` integer NOT NULL,
	`decision_id` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `content_reports_one_open` ON `content_reports` (`kind`,`target_id`,`reporter_id`) WHERE "content_reports"."decision_id" is null;--> statement-breakpoint
CREATE INDEX `content_reports_target` ON `content_reports` (`kind`,`target_id`,`id`);--> statement-breakpoint
CREATE INDEX `content_reports_reporter` ON `content_reports` (`reporter_id`,`id`);--> statement-breakpoint
CREATE INDEX `content_reports_decision` ON `content_reports` (`decision_id`);--> statement-breakpoint
CREATE TABLE `decisions` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`target_kind` text NOT NULL,
	`target_id` text NOT NULL,
	`target` text NOT NULL,
	`owner_id` text NOT NULL,
	`actor_id` text,
	`reason` text NOT NULL,
	`until` integer,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	`previous_id` text,
	`form_key` text,
	`answer` text,
	`answered_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `decisions_form_key_unique` ON `decisions` (`form_key`);--> statement-breakpoint
CREATE INDEX `decisions_owner` ON `decisions` (`owner_id`,`id`);--> statement-breakpoint
CREATE INDEX `decisions_target` ON `decisions` (`target_kind`,`target_id`,`id`);--> statement-breakpoint
CREATE INDEX `decisions_previous` ON `decisions` (`previous_id`) WHERE "decisions"."previous_id" is not null;--> statement-breakpoint
CREATE INDEX `decisions_held` ON `decisions` (`id`) WHERE "decisions"."kind" = 'hold' and "decisions"."ended_at" is null;--> statement-breakpoint
CREATE INDEX `decisions_suspended` ON `decisions` (`until`) WHERE "decisions"."kind" = 'suspend' and "decisions"."ended_at" is null;--> statement-breakpoint
CREATE INDEX `decisions_answered` ON `decisions` (`answered_at`) WHERE "decisions"."answered_at" is not null and "decisions"."ended_at" is null;--> statement-breakpoint
CREATE TABLE `sign_up_addresses` (
	`user_id` text PRIMARY KEY NOT NULL,
	`address_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sign_up_addresses_address` ON `sign_up_addresses` (`address_hash`);--> statement-breakpoint
CREATE INDEX `sign_up_addresses_created_at` ON `sign_up_addresses` (`created_at`);--> statement-breakpoint
ALTER TABLE `reviews` ADD `hidden_by_id` text;--> statement-breakpoint
ALTER TABLE `users` ADD `suspension_id` text;--> statement-breakpoint
ALTER TABLE `users` ADD `suspended_until` integer;--> statement-breakpoint
CREATE INDEX `phones_same_text` ON `phones` (substr("selling_reason", 1, 60)) WHERE length("selling_reason") >= 20;--> statement-breakpoint
CREATE INDEX `phones_imei_ever` ON `phones` (`imei_hash`) WHERE "phones"."imei_hash" is not null;