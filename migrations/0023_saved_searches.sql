CREATE TABLE `saved_search_keys` (
	`key` text NOT NULL,
	`to_cents` integer NOT NULL,
	`search_id` text NOT NULL,
	PRIMARY KEY(`key`, `to_cents`, `search_id`),
	FOREIGN KEY (`search_id`) REFERENCES `saved_searches`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `saved_search_keys_search` ON `saved_search_keys` (`search_id`);--> statement-breakpoint
CREATE TABLE `saved_searches` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`category` text NOT NULL,
	`query` text NOT NULL,
	`frequency` text NOT NULL,
	`created_at` integer NOT NULL,
	`clauses` text NOT NULL,
	`from_cents` integer NOT NULL,
	`to_cents` integer NOT NULL,
	`new_count` integer DEFAULT 0 NOT NULL,
	`untold_count` integer DEFAULT 0 NOT NULL,
	`told_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `saved_searches_query` ON `saved_searches` (`user_id`,`category`,`query`);--> statement-breakpoint
CREATE INDEX `saved_searches_due` ON `saved_searches` (`frequency`,`told_at`) WHERE "saved_searches"."untold_count" > 0;--> statement-breakpoint
CREATE TABLE `unmatched_listings` (
	`phone_id` text PRIMARY KEY NOT NULL,
	`revision` text NOT NULL,
	`old_variant_id` integer,
	`old_cents` integer,
	`old_condition` text,
	`old_battery_health` integer
);
--> statement-breakpoint
CREATE INDEX `unmatched_listings_revision` ON `unmatched_listings` (`revision`);