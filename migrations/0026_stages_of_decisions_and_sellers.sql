ALTER TABLE `pending_decisions` ADD `stage` text DEFAULT 'handed over' NOT NULL;
--> statement-breakpoint
UPDATE `pending_decisions` SET `stage` = (SELECT `orders`.`stage` FROM `orders` INNER JOIN `order_problems` ON `order_problems`.`order_id` = `orders`.`id` WHERE `order_problems`.`id` = `pending_decisions`.`problem_id`);
--> statement-breakpoint
UPDATE `orders` SET `sold_by_id` = (SELECT `phones`.`seller_id` FROM `phones` WHERE `phones`.`id` = `orders`.`phone_id`) WHERE `sold_by_id` IS NULL;
--> statement-breakpoint
-- Of what a Worker books that does not know the column: the one before, until all run the new one, or after a rollback.
CREATE TRIGGER `orders_sold_by` AFTER INSERT ON `orders` WHEN NEW.`sold_by_id` IS NULL BEGIN
	UPDATE `orders` SET `sold_by_id` = (SELECT `seller_id` FROM `phones` WHERE `id` = NEW.`phone_id`) WHERE `id` = NEW.`id`;
END;
