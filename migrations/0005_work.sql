CREATE TABLE `work_claims` (
	`path` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`taken_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `work_claims_user` ON `work_claims` (`user_id`);--> statement-breakpoint
CREATE INDEX `work_claims_taken_at` ON `work_claims` (`taken_at`);--> statement-breakpoint
ALTER TABLE `reports` ADD `state` text DEFAULT 'open' NOT NULL;--> statement-breakpoint
CREATE INDEX `reports_open` ON `reports` (`created_at`) WHERE "reports"."state" = 'open';