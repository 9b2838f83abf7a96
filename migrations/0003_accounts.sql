CREATE TABLE `log_in_attempts` (
	`key` text PRIMARY KEY NOT NULL,
	`attempts` integer NOT NULL,
	`last_at` integer NOT NULL,
	`blocked_until` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `log_in_attempts_last_at` ON `log_in_attempts` (`last_at`);--> statement-breakpoint
CREATE TABLE `spent_states` (
	`state` text PRIMARY KEY NOT NULL,
	`spent_at` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `sessions` ADD `last_seen_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `device` text DEFAULT 'Unknown device' NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `google_subject` text;--> statement-breakpoint
CREATE UNIQUE INDEX `users_google_subject` ON `users` (`google_subject`) WHERE "users"."removal_id" is null;--> statement-breakpoint
CREATE INDEX `users_email_ever` ON `users` (lower("email"));