CREATE TABLE `notes` (
	`id` text PRIMARY KEY NOT NULL,
	`subject_kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`author_id` text NOT NULL,
	`text` text NOT NULL,
	`created_at` integer NOT NULL,
	`form_key` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `notes_form_key_unique` ON `notes` (`form_key`);--> statement-breakpoint
CREATE INDEX `notes_subject` ON `notes` (`subject_id`,`id`);