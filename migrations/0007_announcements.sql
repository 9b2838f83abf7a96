CREATE TABLE `announcements` (
	`id` text PRIMARY KEY NOT NULL,
	`audience` text NOT NULL,
	`text` text NOT NULL,
	`first_day` integer NOT NULL,
	`last_day` integer NOT NULL,
	`notified_through` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `announcements_last_day` ON `announcements` (`last_day`);