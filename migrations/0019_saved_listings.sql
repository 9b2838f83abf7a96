CREATE TABLE `saved_listing_changes` (
	`id` text PRIMARY KEY NOT NULL,
	`phone_id` text NOT NULL,
	`device` text NOT NULL,
	`was_available` integer NOT NULL,
	`old_cents` integer NOT NULL,
	`created_at` integer NOT NULL,
	`kind` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `saved_listing_changes_new` ON `saved_listing_changes` (`phone_id`) WHERE "saved_listing_changes"."kind" is null;--> statement-breakpoint
CREATE INDEX `saved_listing_changes_created_at` ON `saved_listing_changes` (`created_at`);--> statement-breakpoint
CREATE TABLE `saved_listings` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`phone_id` text NOT NULL,
	`price_cents` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `saved_listings_once` ON `saved_listings` (`user_id`,`phone_id`);--> statement-breakpoint
CREATE INDEX `saved_listings_user` ON `saved_listings` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `saved_listings_phone` ON `saved_listings` (`phone_id`,`user_id`);--> statement-breakpoint
CREATE TRIGGER `saved_listing_changed` AFTER UPDATE OF `status`, `removal_id`, `selling_cents` ON `phones` WHEN (OLD.`status` = 'available' AND OLD.`removal_id` IS NULL) IS NOT (NEW.`status` = 'available' AND NEW.`removal_id` IS NULL) OR NEW.`selling_cents` < OLD.`selling_cents` BEGIN
	INSERT INTO `saved_listing_changes` (`id`, `phone_id`, `device`, `was_available`, `old_cents`, `created_at`) SELECT lower(hex(randomblob(16))), OLD.`id`, OLD.`brand_name` || ' ' || OLD.`model`, OLD.`status` = 'available' AND OLD.`removal_id` IS NULL, OLD.`selling_cents`, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) WHERE EXISTS (SELECT 1 FROM `saved_listings` WHERE `phone_id` = OLD.`id`) ON CONFLICT (`phone_id`) WHERE `kind` IS NULL DO UPDATE SET `created_at` = excluded.`created_at`;
END;--> statement-breakpoint
CREATE TRIGGER `saved_listing_deleted` AFTER DELETE ON `phones` BEGIN
	INSERT INTO `saved_listing_changes` (`id`, `phone_id`, `device`, `was_available`, `old_cents`, `created_at`) SELECT lower(hex(randomblob(16))), OLD.`id`, OLD.`brand_name` || ' ' || OLD.`model`, OLD.`status` = 'available' AND OLD.`removal_id` IS NULL, OLD.`selling_cents`, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) WHERE EXISTS (SELECT 1 FROM `saved_listings` WHERE `phone_id` = OLD.`id`) ON CONFLICT (`phone_id`) WHERE `kind` IS NULL DO UPDATE SET `created_at` = excluded.`created_at`;
END;
