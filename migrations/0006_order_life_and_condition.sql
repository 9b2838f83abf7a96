CREATE TABLE `order_steps` (
	`id` text PRIMARY KEY NOT NULL,
	`order_id` text NOT NULL,
	`kind` text NOT NULL,
	`actor_id` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `order_steps_order` ON `order_steps` (`order_id`,`id`);--> statement-breakpoint
CREATE INDEX `order_steps_actor` ON `order_steps` (`actor_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `order_steps_once` ON `order_steps` (`order_id`,`kind`) WHERE "order_steps"."kind" in ('reserved', 'handed over', 'received');--> statement-breakpoint
CREATE TABLE `price_changes` (
	`id` text PRIMARY KEY NOT NULL,
	`phone_id` text NOT NULL,
	`old_cents` integer NOT NULL,
	`new_cents` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `price_changes_phone` ON `price_changes` (`phone_id`,`id`);--> statement-breakpoint
ALTER TABLE `bookings` ADD `stage` text DEFAULT 'reserved' NOT NULL;--> statement-breakpoint
CREATE INDEX `bookings_sales` ON `bookings` (lower("product_name"),`id`,`rom`,`price_cents`) WHERE "bookings"."status" = 'active';--> statement-breakpoint
ALTER TABLE `phones` ADD `condition` text;--> statement-breakpoint
ALTER TABLE `phones` ADD `battery_health` integer;--> statement-breakpoint
ALTER TABLE `phones` ADD `imei_hash` text;--> statement-breakpoint
CREATE UNIQUE INDEX `phones_imei` ON `phones` (`imei_hash`) WHERE "phones"."imei_hash" is not null and "phones"."removal_id" is null;