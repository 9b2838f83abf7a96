CREATE TABLE `email_opt_outs` (
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `kind`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `notifications_read_at` ON `notifications` (`read_at`) WHERE "notifications"."read_at" is not null;--> statement-breakpoint
CREATE INDEX `reviews_published_at` ON `reviews` (`published_at`);