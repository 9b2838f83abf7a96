CREATE TABLE `offers` (
	`id` text PRIMARY KEY NOT NULL,
	`phone_id` text NOT NULL,
	`buyer_id` text NOT NULL,
	`seller_id` text NOT NULL,
	`side` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`answer` text,
	`answered_at` integer,
	`usable_until` integer
);
--> statement-breakpoint
CREATE INDEX `offers_buyer` ON `offers` (`buyer_id`,`phone_id`,`id`);--> statement-breakpoint
CREATE INDEX `offers_seller` ON `offers` (`seller_id`,`id`);--> statement-breakpoint
CREATE INDEX `offers_phone` ON `offers` (`phone_id`);--> statement-breakpoint
ALTER TABLE `phones` ADD `offers_welcome` text;