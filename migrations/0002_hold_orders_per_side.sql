DROP INDEX `order_problems_one_open`;--> statement-breakpoint
CREATE UNIQUE INDEX `order_problems_one_open` ON `order_problems` (`order_id`,`opened_by`) WHERE "order_problems"."ended_at" is null;--> statement-breakpoint
ALTER TABLE `orders` ADD `held_since` integer;--> statement-breakpoint
UPDATE `orders` SET `held_since` = (
  SELECT min(`created_at`) FROM `order_problems` WHERE `order_id` = `orders`.`id` AND `ended_at` IS NULL
) WHERE `status` = 'active' AND `id` IN (SELECT `order_id` FROM `order_problems` WHERE `ended_at` IS NULL);
