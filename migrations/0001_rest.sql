CREATE TABLE `first_answers` (
	`id` text PRIMARY KEY NOT NULL,
	`body_hash` text NOT NULL,
	`status` integer,
	`answer` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `first_answers_created_at` ON `first_answers` (`created_at`);--> statement-breakpoint
CREATE TABLE `revisions` (
	`name` text PRIMARY KEY NOT NULL,
	`mark` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `phones_price` ON `phones` (`selling_cents`,`id`);