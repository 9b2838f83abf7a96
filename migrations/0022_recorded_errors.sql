CREATE TABLE `recorded_errors` (
	`reference` text PRIMARY KEY NOT NULL,
	`method` text NOT NULL,
	`path` text NOT NULL,
	`status` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `recorded_errors_created_at` ON `recorded_errors` (`created_at`);