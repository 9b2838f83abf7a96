CREATE TABLE `first_answers` (
	`id` text PRIMARY KEY NOT NULL,
	`body_hash` text NOT NULL,
	`name` text NOT NULL,
	`status` integer,
	`answer` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `first_answers_created_at` ON `first_answers` (`created_at`);--> statement-breakpoint
CREATE TABLE `log_in_attempts` (
	`key` text PRIMARY KEY NOT NULL,
	`attempts` integer NOT NULL,
	`last_at` integer NOT NULL,
	`blocked_until` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `log_in_attempts_last_at` ON `log_in_attempts` (`last_at`);--> statement-breakpoint
CREATE TABLE `passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`transports` text NOT NULL,
	`backed_up` integer NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `passkeys_user` ON `passkeys` (`user_id`);--> statement-breakpoint
CREATE TABLE `revisions` (
	`name` text PRIMARY KEY NOT NULL,
	`mark` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `spent_states` (
	`state` text PRIMARY KEY NOT NULL,
	`spent_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `tickets` (
	`id` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`user_id` text,
	`email` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `tickets_user` ON `tickets` (`user_id`,`purpose`);--> statement-breakpoint
CREATE INDEX `tickets_expiry` ON `tickets` (`expires_at`);--> statement-breakpoint
ALTER TABLE `bookings` ADD `form_key` text;--> statement-breakpoint
CREATE UNIQUE INDEX `bookings_form_key` ON `bookings` (`buyer_id`,`form_key`);--> statement-breakpoint
ALTER TABLE `sessions` ADD `last_seen_at` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `device` text DEFAULT 'Unknown device' NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `google_subject` text;--> statement-breakpoint
ALTER TABLE `users` ADD `email_verified_at` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `users_google_subject` ON `users` (`google_subject`) WHERE "users"."removal_id" is null;--> statement-breakpoint
CREATE INDEX `users_email_ever` ON `users` (lower("email"));--> statement-breakpoint
CREATE INDEX `phones_price` ON `phones` (`selling_cents`,`id`);