CREATE TABLE `tab_counts` (
	`seller_id` text NOT NULL,
	`tab` text NOT NULL,
	`listings` integer NOT NULL,
	PRIMARY KEY(`seller_id`, `tab`),
	FOREIGN KEY (`seller_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
-- What reads the column `listed` is made anew with it.
DROP INDEX `catalog_newest`;
--> statement-breakpoint
DROP INDEX `catalog_price`;
--> statement-breakpoint
DROP INDEX `catalog_saving`;
--> statement-breakpoint
DROP INDEX `catalog_category_newest`;
--> statement-breakpoint
DROP INDEX `catalog_category_price`;
--> statement-breakpoint
DROP INDEX `catalog_category_saving`;
--> statement-breakpoint
DROP INDEX `catalog_variant`;
--> statement-breakpoint
DROP TRIGGER `phone_counted`;
--> statement-breakpoint
DROP TRIGGER `phone_deleted`;
--> statement-breakpoint
DROP TRIGGER `phones_changed`;
--> statement-breakpoint
DROP TRIGGER `phone_added`;
--> statement-breakpoint
ALTER TABLE `phones` DROP COLUMN `listed`;--> statement-breakpoint
ALTER TABLE `phones` ADD `listed` integer GENERATED ALWAYS AS ("hidden_by_id" is null and "status" not in ('sold', 'paused')) VIRTUAL;--> statement-breakpoint
ALTER TABLE `phones` ADD `own_number` text;--> statement-breakpoint
ALTER TABLE `phones` ADD `paused_until` integer;--> statement-breakpoint
ALTER TABLE `phones` ADD `sold_elsewhere` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `phones` ADD `tab` text;--> statement-breakpoint
ALTER TABLE `phones` ADD `views` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- The tab of My Sells that each listing is in; null once it is deleted.
CREATE VIEW `listing_tabs` AS SELECT `id`, CASE
	WHEN `hidden_by_id` IS NOT NULL AND NOT EXISTS (SELECT 1 FROM `decisions` WHERE `decisions`.`id` = `hidden_by_id` AND `kind` IN ('hide', 'hold', 'suspend')) AND NOT EXISTS (SELECT 1 FROM `orders` WHERE `orders`.`id` = `hidden_by_id`) THEN NULL
	WHEN `status` = 'sold' THEN 'sold'
	WHEN `status` = 'reserved' THEN iif(EXISTS (SELECT 1 FROM `orders` WHERE `phone_id` = `phones`.`id` AND `orders`.`status` = 'active' AND `stage` = 'handed over'), 'handed over', 'to hand over')
	WHEN `status` = 'available' AND `hidden_by_id` IS NULL THEN 'for sale'
	ELSE 'not listed'
END AS `tab` FROM `phones`;
--> statement-breakpoint
UPDATE `phones` SET `tab` = (SELECT `t`.`tab` FROM `listing_tabs` AS `t` WHERE `t`.`id` = `phones`.`id`), `views` = coalesce((SELECT `listing_views`.`views` FROM `listing_views` WHERE `phone_id` = `phones`.`id`), 0);
--> statement-breakpoint
INSERT INTO `tab_counts` (`seller_id`, `tab`, `listings`) SELECT `seller_id`, `tab`, count(*) FROM `phones` WHERE `tab` IS NOT NULL GROUP BY `seller_id`, `tab`;
--> statement-breakpoint
CREATE UNIQUE INDEX `phones_own_number` ON `phones` (`seller_id`,lower("own_number")) WHERE "phones"."own_number" is not null;--> statement-breakpoint
CREATE INDEX `phones_tab` ON `phones` (`seller_id`,`tab`,`id`);--> statement-breakpoint
CREATE INDEX `phones_tab_price` ON `phones` (`seller_id`,`tab`,`selling_cents`,`id`);--> statement-breakpoint
CREATE INDEX `phones_tab_views` ON `phones` (`seller_id`,`tab`,`views`,`id`);--> statement-breakpoint
CREATE INDEX `phones_tab_variant` ON `phones` (`seller_id`,`tab`,`variant_id`,`id`);--> statement-breakpoint
CREATE INDEX `phones_tab_without_photo` ON `phones` (`seller_id`,`tab`,`id`) WHERE "phones"."cover" is null;--> statement-breakpoint
CREATE INDEX `phones_paused` ON `phones` (`paused_until`) WHERE "phones"."paused_until" is not null;--> statement-breakpoint
ALTER TABLE `users` ADD `shop_text` text;--> statement-breakpoint
ALTER TABLE `price_changes` ADD `removal_id` text;--> statement-breakpoint
CREATE INDEX `price_changes_removal` ON `price_changes` (`removal_id`) WHERE "price_changes"."removal_id" is not null;
--> statement-breakpoint
CREATE INDEX `catalog_newest` ON `phones` (`number`,`category`,`variant_id`,`selling_cents`,`saving_cents`,`status`,`seller_verified`,`condition`,`battery_health`,`color`,`carrier_lock`) WHERE "listed";
--> statement-breakpoint
CREATE INDEX `catalog_price` ON `phones` (`selling_cents`,`number`,`category`,`variant_id`,`saving_cents`,`status`,`seller_verified`,`condition`,`battery_health`,`color`,`carrier_lock`) WHERE "listed";
--> statement-breakpoint
CREATE INDEX `catalog_saving` ON `phones` (`saving_cents`,`number`,`category`,`variant_id`,`selling_cents`,`status`,`seller_verified`,`condition`,`battery_health`,`color`,`carrier_lock`) WHERE "listed";
--> statement-breakpoint
CREATE INDEX `catalog_category_newest` ON `phones` (`category`,`number`,`variant_id`,`selling_cents`,`saving_cents`,`status`,`seller_verified`,`condition`,`battery_health`,`color`,`carrier_lock`) WHERE "listed";
--> statement-breakpoint
CREATE INDEX `catalog_category_price` ON `phones` (`category`,`selling_cents`,`number`,`variant_id`,`saving_cents`,`status`,`seller_verified`,`condition`,`battery_health`,`color`,`carrier_lock`) WHERE "listed";
--> statement-breakpoint
CREATE INDEX `catalog_category_saving` ON `phones` (`category`,`saving_cents`,`number`,`variant_id`,`selling_cents`,`status`,`seller_verified`,`condition`,`battery_health`,`color`,`carrier_lock`) WHERE "listed";
--> statement-breakpoint
CREATE INDEX `catalog_variant` ON `phones` (`variant_id`,`number`,`category`,`selling_cents`,`saving_cents`,`status`,`seller_verified`,`condition`,`battery_health`,`color`,`carrier_lock`) WHERE "listed";
--> statement-breakpoint
CREATE TRIGGER `phones_changed` AFTER UPDATE ON `phones` WHEN NEW.`views` = OLD.`views` AND NEW.`tab` IS OLD.`tab` BEGIN
	INSERT INTO `revisions` (`name`, "revision") VALUES ('phones', lower(hex(randomblob(16)))) ON CONFLICT (`name`) DO UPDATE SET "revision" = excluded."revision";
END;
--> statement-breakpoint
CREATE TRIGGER `phone_counted` AFTER UPDATE OF `variant_id`, `status`, `hidden_by_id` ON `phones` WHEN OLD.`variant_id` IS NOT NEW.`variant_id` OR OLD.`listed` <> NEW.`listed` BEGIN
	UPDATE `device_variants` SET
		`listed` = `listed` + (`id` IS NEW.`variant_id` AND NEW.`listed`) - (`id` IS OLD.`variant_id` AND OLD.`listed`)
	WHERE `id` IN (NEW.`variant_id`, OLD.`variant_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `phone_deleted` AFTER DELETE ON `phones` WHEN OLD.`listed` BEGIN
	UPDATE `device_variants` SET `listed` = `listed` - 1 WHERE `id` = OLD.`variant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `phone_added` AFTER INSERT ON `phones` BEGIN
	UPDATE `phones` SET
		`number` = coalesce(`number`, (SELECT coalesce(max(`number`), 0) + 1 FROM `phones`)),
		`seller_verified` = (SELECT `users`.`verified` FROM `users` WHERE `users`.`id` = NEW.`seller_id`),
		`variant_id` = (SELECT `v`.`id` FROM `device_variants` AS `v` WHERE (`v`.`category`, `v`.`brand`, `v`.`model`, `v`.`processor`, `v`.`rom`, `v`.`ram`) = (NEW.`category`, NEW.`brand_name`, NEW.`model`, NEW.`processor`, NEW.`rom`, NEW.`ram`))
	WHERE `id` = NEW.`id`;
	UPDATE `phones` SET `tab` = (SELECT `t`.`tab` FROM `listing_tabs` AS `t` WHERE `t`.`id` = NEW.`id`) WHERE `id` = NEW.`id`;
	SELECT RAISE(ABORT, 'A listing needs its device variant first') FROM `phones` WHERE `id` = NEW.`id` AND `variant_id` IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER `listing_moved` AFTER UPDATE OF `status`, `hidden_by_id` ON `phones` WHEN OLD.`status` <> NEW.`status` OR OLD.`hidden_by_id` IS NOT NEW.`hidden_by_id` BEGIN
	UPDATE `phones` SET `tab` = (SELECT `t`.`tab` FROM `listing_tabs` AS `t` WHERE `t`.`id` = NEW.`id`) WHERE `id` = NEW.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `order_started` AFTER INSERT ON `orders` WHEN NEW.`stage` <> 'reserved' BEGIN
	UPDATE `phones` SET `tab` = (SELECT `t`.`tab` FROM `listing_tabs` AS `t` WHERE `t`.`id` = NEW.`phone_id`) WHERE `id` = NEW.`phone_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `order_moved` AFTER UPDATE OF `stage`, `status` ON `orders` WHEN OLD.`stage` <> NEW.`stage` OR OLD.`status` <> NEW.`status` BEGIN
	UPDATE `phones` SET `tab` = (SELECT `t`.`tab` FROM `listing_tabs` AS `t` WHERE `t`.`id` = NEW.`phone_id`) WHERE `id` = NEW.`phone_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `tab_counted` AFTER UPDATE OF `tab`, `seller_id` ON `phones` WHEN OLD.`tab` IS NOT NEW.`tab` OR OLD.`seller_id` <> NEW.`seller_id` BEGIN
	INSERT INTO `tab_counts` (`seller_id`, `tab`, `listings`)
		SELECT NEW.`seller_id`, NEW.`tab`, 1 WHERE NEW.`tab` IS NOT NULL
		UNION ALL SELECT OLD.`seller_id`, OLD.`tab`, -1 WHERE OLD.`tab` IS NOT NULL
		ON CONFLICT (`seller_id`, `tab`) DO UPDATE SET `listings` = `listings` + excluded.`listings`;
END;
--> statement-breakpoint
CREATE TRIGGER `listing_uncounted` AFTER DELETE ON `phones` WHEN OLD.`tab` IS NOT NULL BEGIN
	UPDATE `tab_counts` SET `listings` = `listings` - 1 WHERE `seller_id` = OLD.`seller_id` AND `tab` = OLD.`tab`;
END;
--> statement-breakpoint
CREATE TRIGGER `views_added` AFTER INSERT ON `listing_views` BEGIN
	UPDATE `phones` SET `views` = NEW.`views` WHERE `id` = NEW.`phone_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `views_changed` AFTER UPDATE OF `views` ON `listing_views` BEGIN
	UPDATE `phones` SET `views` = NEW.`views` WHERE `id` = NEW.`phone_id`;
END;
