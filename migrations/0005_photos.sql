CREATE TABLE `photos` (
	`id` text PRIMARY KEY NOT NULL,
	`phone_id` text,
	`position` integer NOT NULL,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`digest` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `photos_once` ON `photos` (`phone_id`,`digest`);--> statement-breakpoint
CREATE INDEX `photos_phone` ON `photos` (`phone_id`,`position`);--> statement-breakpoint
ALTER TABLE `phones` ADD `cover` text;--> statement-breakpoint
CREATE INDEX `phones_removed_with_photos` ON `phones` (`removal_id`) WHERE "phones"."removal_id" is not null and "phones"."cover" is not null;