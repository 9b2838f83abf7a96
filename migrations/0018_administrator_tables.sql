ALTER TABLE `reports` ADD `removal_id` text;--> statement-breakpoint
CREATE INDEX `reports_email` ON `reports` (lower("email"),`id`);--> statement-breakpoint
CREATE INDEX `reports_removal` ON `reports` (`removal_id`) WHERE "reports"."removal_id" is not null;--> statement-breakpoint
CREATE INDEX `activity_target` ON `activity` (`target_id`,`id`);--> statement-breakpoint
CREATE INDEX `activity_action` ON `activity` (`action`,`id`);--> statement-breakpoint
CREATE INDEX `activity_actor` ON `activity` (lower("actor_email"),`id`);--> statement-breakpoint
CREATE INDEX `bookings_phone` ON `bookings` (`phone_id`,`id`);--> statement-breakpoint
CREATE INDEX `bookings_price` ON `bookings` (`price_cents`,`id`);--> statement-breakpoint
CREATE INDEX `bookings_number` ON `bookings` (substr("id", -12));--> statement-breakpoint
CREATE INDEX `phones_brand` ON `phones` (lower("brand_name"),`id`);--> statement-breakpoint
CREATE INDEX `users_name` ON `users` (lower("name"),`id`);