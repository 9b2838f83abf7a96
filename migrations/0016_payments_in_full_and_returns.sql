CREATE TABLE `payment_differences` (
	`id` text PRIMARY KEY NOT NULL,
	`order_id` text NOT NULL,
	`kind` text NOT NULL,
	`provider_id` text NOT NULL,
	`ledger_cents` integer,
	`provider_cents` integer,
	`created_at` integer NOT NULL,
	`solved_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_differences_once` ON `payment_differences` (`kind`,`provider_id`);--> statement-breakpoint
CREATE INDEX `payment_differences_open` ON `payment_differences` (`created_at`) WHERE "payment_differences"."solved_at" is null;--> statement-breakpoint
DROP INDEX `catalog_newest`;--> statement-breakpoint
DROP INDEX `catalog_price`;--> statement-breakpoint
DROP INDEX `catalog_saving`;--> statement-breakpoint
DROP INDEX `catalog_category_newest`;--> statement-breakpoint
DROP INDEX `catalog_category_price`;--> statement-breakpoint
DROP INDEX `catalog_category_saving`;--> statement-breakpoint
DROP INDEX `catalog_variant`;--> statement-breakpoint
ALTER TABLE `phones` ADD `return_days` integer;--> statement-breakpoint
CREATE INDEX `phones_seller_paused` ON `phones` (`seller_id`,`paused_until`) WHERE "phones"."paused_until" is not null;--> statement-breakpoint
CREATE INDEX `catalog_newest` ON `phones` (`number`,`category`,`variant_id`,`selling_cents`,`saving_cents`,`status`,`seller_verified`,`return_days`,`condition`,`battery_health`,`color`,`carrier_lock`) WHERE "listed";--> statement-breakpoint
CREATE INDEX `catalog_price` ON `phones` (`selling_cents`,`number`,`category`,`variant_id`,`saving_cents`,`status`,`seller_verified`,`return_days`,`condition`,`battery_health`,`color`,`carrier_lock`) WHERE "listed";--> statement-breakpoint
CREATE INDEX `catalog_saving` ON `phones` (`saving_cents`,`number`,`category`,`variant_id`,`selling_cents`,`status`,`seller_verified`,`return_days`,`condition`,`battery_health`,`color`,`carrier_lock`) WHERE "listed";--> statement-breakpoint
CREATE INDEX `catalog_category_newest` ON `phones` (`category`,`number`,`variant_id`,`selling_cents`,`saving_cents`,`status`,`seller_verified`,`return_days`,`condition`,`battery_health`,`color`,`carrier_lock`) WHERE "listed";--> statement-breakpoint
CREATE INDEX `catalog_category_price` ON `phones` (`category`,`selling_cents`,`number`,`variant_id`,`saving_cents`,`status`,`seller_verified`,`return_days`,`condition`,`battery_health`,`color`,`carrier_lock`) WHERE "listed";--> statement-breakpoint
CREATE INDEX `catalog_category_saving` ON `phones` (`category`,`saving_cents`,`number`,`variant_id`,`selling_cents`,`status`,`seller_verified`,`return_days`,`condition`,`battery_health`,`color`,`carrier_lock`) WHERE "listed";--> statement-breakpoint
CREATE INDEX `catalog_variant` ON `phones` (`variant_id`,`number`,`category`,`selling_cents`,`saving_cents`,`status`,`seller_verified`,`return_days`,`condition`,`battery_health`,`color`,`carrier_lock`) WHERE "listed";--> statement-breakpoint
ALTER TABLE `users` ADD `return_days` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `order_problem_steps` ADD `amount_cents` integer;--> statement-breakpoint
ALTER TABLE `payments` ADD `return_days` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `payments` ADD `refund_cents` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `payments` ADD `refund_reason` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `dispute_id` text;--> statement-breakpoint
ALTER TABLE `payments` ADD `disputed_at` integer;--> statement-breakpoint
ALTER TABLE `payments` ADD `dispute_ended_at` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `payments_dispute` ON `payments` (`dispute_id`) WHERE "payments"."dispute_id" is not null;--> statement-breakpoint
-- What a listing promises: nothing as long as the provider can't pay its seller, else the days for a change of mind.
CREATE VIEW `promised_return_days` AS SELECT `users`.`id` AS `seller_id`, iif(`payout_accounts`.`state` = 'ready', `users`.`return_days`, NULL) AS `days` FROM `users` LEFT JOIN `payout_accounts` ON `payout_accounts`.`user_id` = `users`.`id`;
--> statement-breakpoint
UPDATE `phones` SET `return_days` = 0 WHERE `seller_id` IN (SELECT `user_id` FROM `payout_accounts` WHERE `state` = 'ready');
--> statement-breakpoint
CREATE TRIGGER `returns_promised` AFTER INSERT ON `phones` BEGIN
	UPDATE `phones` SET `return_days` = (SELECT `days` FROM `promised_return_days` WHERE `promised_return_days`.`seller_id` = NEW.`seller_id`) WHERE `id` = NEW.`id` AND EXISTS (SELECT 1 FROM `payout_accounts` WHERE `user_id` = NEW.`seller_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `returns_changed` AFTER UPDATE OF `return_days` ON `users` WHEN OLD.`return_days` <> NEW.`return_days` BEGIN
	UPDATE `phones` SET `return_days` = (SELECT `days` FROM `promised_return_days` WHERE `promised_return_days`.`seller_id` = NEW.`id`) WHERE `seller_id` = NEW.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `payouts_set_up` AFTER INSERT ON `payout_accounts` WHEN NEW.`state` = 'ready' BEGIN
	UPDATE `phones` SET `return_days` = (SELECT `days` FROM `promised_return_days` WHERE `promised_return_days`.`seller_id` = NEW.`user_id`) WHERE `seller_id` = NEW.`user_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `payouts_changed` AFTER UPDATE OF `state` ON `payout_accounts` WHEN (OLD.`state` = 'ready') <> (NEW.`state` = 'ready') BEGIN
	UPDATE `phones` SET `return_days` = (SELECT `days` FROM `promised_return_days` WHERE `promised_return_days`.`seller_id` = NEW.`user_id`) WHERE `seller_id` = NEW.`user_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `payouts_gone` AFTER DELETE ON `payout_accounts` WHEN OLD.`state` = 'ready' BEGIN
	UPDATE `phones` SET `return_days` = NULL WHERE `seller_id` = OLD.`user_id`;
END;
