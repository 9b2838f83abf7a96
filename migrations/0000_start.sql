CREATE TABLE `activity` (
	`id` text PRIMARY KEY NOT NULL,
	`actor_id` text NOT NULL,
	`actor_email` text NOT NULL,
	`act` text NOT NULL,
	`target_id` text NOT NULL,
	`target` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `bookings` (
	`id` text PRIMARY KEY NOT NULL,
	`phone_id` text NOT NULL,
	`buyer_id` text NOT NULL,
	`product_name` text NOT NULL,
	`ram` text NOT NULL,
	`rom` text NOT NULL,
	`buyer_name` text NOT NULL,
	`buyer_address` text NOT NULL,
	`email` text NOT NULL,
	`phone` text NOT NULL,
	`price_cents` integer NOT NULL,
	`status` text DEFAULT 'active' NOT NULL,
	`created_at` integer NOT NULL,
	`removal_id` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `bookings_one_active_per_phone` ON `bookings` (`phone_id`) WHERE "bookings"."status" = 'active';--> statement-breakpoint
CREATE INDEX `bookings_buyer` ON `bookings` (`buyer_id`,`id`);--> statement-breakpoint
CREATE INDEX `bookings_removal` ON `bookings` (`removal_id`) WHERE "bookings"."removal_id" is not null;--> statement-breakpoint
CREATE TABLE `phones` (
	`id` text PRIMARY KEY NOT NULL,
	`seller_id` text NOT NULL,
	`brand_name` text NOT NULL,
	`model` text NOT NULL,
	`ram` text NOT NULL,
	`rom` text NOT NULL,
	`image` text NOT NULL,
	`camera` text NOT NULL,
	`processor` text NOT NULL,
	`battery` text NOT NULL,
	`os` text NOT NULL,
	`device_type` text NOT NULL,
	`selling_reason` text NOT NULL,
	`market_cents` integer NOT NULL,
	`selling_cents` integer NOT NULL,
	`post_date` text NOT NULL,
	`used_time` text NOT NULL,
	`status` text DEFAULT 'available' NOT NULL,
	`created_at` integer NOT NULL,
	`removal_id` text,
	`form_key` text,
	FOREIGN KEY (`seller_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `phones_form_key` ON `phones` (`seller_id`,`form_key`);--> statement-breakpoint
CREATE INDEX `phones_shelf` ON `phones` (`device_type`,`os`,`id`);--> statement-breakpoint
CREATE INDEX `phones_seller` ON `phones` (`seller_id`,`id`);--> statement-breakpoint
CREATE INDEX `phones_removal` ON `phones` (`removal_id`) WHERE "phones"."removal_id" is not null;--> statement-breakpoint
CREATE TABLE `removals` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`target_id` text NOT NULL,
	`actor_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`undone_at` integer
);
--> statement-breakpoint
CREATE TABLE `reports` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`details` text NOT NULL,
	`created_at` integer NOT NULL,
	`form_key` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `reports_form_key_unique` ON `reports` (`form_key`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`password_hash` text,
	`user_type` text NOT NULL,
	`verified` text,
	`created_at` integer NOT NULL,
	`removal_id` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email` ON `users` (lower("email")) WHERE "users"."removal_id" is null;--> statement-breakpoint
CREATE INDEX `users_user_type` ON `users` (`user_type`,`id`);