CREATE TABLE `listing_import_rows` (
	`import_id` text NOT NULL,
	`line` integer NOT NULL,
	`plan` text NOT NULL,
	`phone_id` text,
	`device` text NOT NULL,
	`own_number` text,
	`fields` text,
	`before` text,
	`imei_hashes` text,
	`remarks` text NOT NULL,
	`result` text,
	`refusal` text,
	`photos` text,
	`photo_remarks` text,
	PRIMARY KEY(`import_id`, `line`),
	FOREIGN KEY (`import_id`) REFERENCES `listing_imports`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `listing_import_rows_state` ON `listing_import_rows` (`import_id`,`plan`,`result`,`line`);--> statement-breakpoint
CREATE TABLE `listing_imports` (
	`id` text PRIMARY KEY NOT NULL,
	`seller_id` text NOT NULL,
	`file_name` text NOT NULL,
	`state` text DEFAULT 'checked' NOT NULL,
	`unknown_columns` text NOT NULL,
	`confirmed` integer DEFAULT false NOT NULL,
	`archive` text,
	`created_at` integer NOT NULL,
	`applied_at` integer,
	`undone_at` integer,
	FOREIGN KEY (`seller_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `listing_imports_seller` ON `listing_imports` (`seller_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `listing_imports_running` ON `listing_imports` (`seller_id`) WHERE "listing_imports"."state" in ('applying', 'undoing');