CREATE TABLE `ledger_sums` (
	`seller_id` text NOT NULL,
	`kind` text NOT NULL,
	`cents` integer NOT NULL,
	`orders` integer NOT NULL,
	PRIMARY KEY(`seller_id`, `kind`)
);
--> statement-breakpoint
ALTER TABLE `payments` ADD `seller_id` text;--> statement-breakpoint
CREATE INDEX `payments_seller` ON `payments` (`seller_id`,`order_id`) WHERE "payments"."paid_at" is not null;--> statement-breakpoint
CREATE INDEX `payments_seller_unsettled` ON `payments` (`seller_id`,`order_id`) WHERE "payments"."settled_at" is null;--> statement-breakpoint
CREATE INDEX `photos_draft_created` ON `photos` (`created_at`) WHERE "photos"."draft_id" is not null;--> statement-breakpoint
UPDATE `payments` SET `seller_id` = (SELECT `phones`.`seller_id` FROM `orders` JOIN `phones` ON `phones`.`id` = `orders`.`phone_id` WHERE `orders`.`id` = `payments`.`order_id`);
--> statement-breakpoint
INSERT INTO `ledger_sums` (`seller_id`, `kind`, `cents`, `orders`)
	SELECT '', `kind`, sum(`amount_cents`), count(DISTINCT `order_id`) FROM `ledger_entries` GROUP BY `kind`
	UNION ALL SELECT `payments`.`seller_id`, `kind`, sum(`ledger_entries`.`amount_cents`), count(DISTINCT `ledger_entries`.`order_id`)
		FROM `ledger_entries` JOIN `payments` ON `payments`.`order_id` = `ledger_entries`.`order_id`
		WHERE `payments`.`seller_id` IS NOT NULL GROUP BY 1, 2;
--> statement-breakpoint
CREATE TRIGGER `ledger_summed` AFTER INSERT ON `ledger_entries` BEGIN
	INSERT INTO `ledger_sums` (`seller_id`, `kind`, `cents`, `orders`)
		SELECT `owner`, NEW.`kind`, NEW.`amount_cents`, NOT EXISTS (SELECT 1 FROM `ledger_entries` AS `e`
			WHERE `e`.`order_id` = NEW.`order_id` AND `e`.`kind` = NEW.`kind` AND `e`.`id` <> NEW.`id`)
		FROM (SELECT '' AS `owner` UNION ALL SELECT `seller_id` FROM `payments` WHERE `order_id` = NEW.`order_id` AND `seller_id` IS NOT NULL)
		WHERE true
		ON CONFLICT (`seller_id`, `kind`) DO UPDATE SET `cents` = `cents` + excluded.`cents`, `orders` = `orders` + excluded.`orders`;
END;
