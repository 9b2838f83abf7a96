ALTER TABLE `orders` ADD `sold_by_id` text;
--> statement-breakpoint
UPDATE `orders` SET `sold_by_id` = (SELECT `phones`.`seller_id` FROM `phones` WHERE `phones`.`id` = `orders`.`phone_id`);
--> statement-breakpoint
-- What a seller has to hand over, the next deadline first, and last what is on hold.
CREATE INDEX `orders_to_hand_over` ON `orders` (`sold_by_id`,printf('%d %015d', `held_since` IS NOT NULL, coalesce(`deadline_at`, 0)),`id`) WHERE `status` = 'active' AND `stage` = 'reserved';
