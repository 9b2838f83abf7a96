-- Condition as one more thing that can be chosen on a shelf. A listing that says nothing of it is written as before, so
-- only those that do are taken off the shelves first, as they were written, and put back at the end.
INSERT INTO `shelf_moves` SELECT -1, `number` FROM `phones` WHERE `condition` IS NOT NULL AND `number` IS NOT NULL;
--> statement-breakpoint
DROP TRIGGER `shelf_phone_leaves`;
--> statement-breakpoint
DROP TRIGGER `shelf_phone_returns`;
--> statement-breakpoint
DROP TRIGGER `shelf_phone_booked`;
--> statement-breakpoint
DROP VIEW `shelf_entries`;
--> statement-breakpoint
DROP VIEW `shelf_shares`;
--> statement-breakpoint
DROP VIEW `shelf_lines`;
--> statement-breakpoint
CREATE VIEW `shelf_lines` AS
SELECT
	`phones`.`number` AS `number`,
	(max(min(`selling_cents`, 16777215), 0) << 28) + `number` AS `price_place`,
	((max(min(`market_cents` - `selling_cents`, 16777215), -16777216) + 16777216) << 28) + `number` AS `saving_place`,
	`seller_id`,
	iif(`device_type` = 'Tablet', 'tablet', iif(`os` = 'Ios', 'ios', 'android')) AS `shelf`,
	`brand_name`, `model`, `processor`, `rom`, `ram`, `condition`,
	max(min(`selling_cents`, 16777215), 0) AS `cents`,
	`status` = 'available' AS `available`,
	'*[' || char(57344) || '-' || char(63743) || ']*' AS `private`,
	(SELECT `verified` FROM `users` WHERE `users`.`id` = `seller_id`) IS 'yes' AS `verified`
FROM `phones`
WHERE `number` IS NOT NULL AND `removal_id` IS NULL AND `status` IN ('available', 'reserved');
--> statement-breakpoint
CREATE VIEW `shelf_shares` AS
SELECT
	`number`,
	iif(`own`.`column1`, `shelf`, 'products') AS `shelf`,
	`kind`.`column1` AS `kind`,
	iif(`kind`.`column1` = 'brand', `brand_name`, iif(`kind`.`column1` = 'storage', `rom`, iif(`kind`.`column1` = 'ram', `ram`, iif(`kind`.`column1` = 'condition', `condition`, '')))) AS `value`,
	iif(`kind`.`column1` = 'available', `available`, iif(`kind`.`column1` = 'verified', `verified`, 1)) AS `share`
FROM `shelf_lines`
CROSS JOIN (VALUES (0), (1)) AS `own`
CROSS JOIN (VALUES ('all'), ('brand'), ('storage'), ('ram'), ('verified'), ('available'), ('condition')) AS `kind`
WHERE `kind`.`column1` <> 'condition' OR `condition` IS NOT NULL;
--> statement-breakpoint
CREATE VIEW `shelf_entries` AS
SELECT
	`number`, `price_place`, `saving_place`, `seller_id`,
	iif(`brand_name` GLOB `private`, '', `brand_name`) || ' ' || iif(`model` GLOB `private`, '', `model`) || ' ' || iif(`processor` GLOB `private`, '', `processor`) || ' ' ||
		(SELECT group_concat(`token`, ' ') FROM `shelf_values` AS `v` WHERE `v`.`shelf` IN ('products', `shelf_lines`.`shelf`) AND `v`.`kind` = 'all' AND `v`.`value` = '') || ' ' ||
		(SELECT group_concat(`token`, ' ') FROM `shelf_values` AS `v` WHERE `v`.`shelf` IN ('products', `shelf_lines`.`shelf`) AND `v`.`kind` = 'brand' AND `v`.`value` = `brand_name`) || ' ' ||
		(SELECT group_concat(`token`, ' ') FROM `shelf_values` AS `v` WHERE `v`.`shelf` IN ('products', `shelf_lines`.`shelf`) AND `v`.`kind` = 'storage' AND `v`.`value` = `rom`) || ' ' ||
		(SELECT group_concat(`token`, ' ') FROM `shelf_values` AS `v` WHERE `v`.`shelf` IN ('products', `shelf_lines`.`shelf`) AND `v`.`kind` = 'ram' AND `v`.`value` = `ram`) ||
		coalesce(' ' || (SELECT group_concat(`token`, ' ') FROM `shelf_values` AS `v` WHERE `v`.`shelf` IN ('products', `shelf_lines`.`shelf`) AND `v`.`kind` = 'condition' AND `v`.`value` = `condition`), '')
		AS `text`,
	' ' || char(57344 + (`cents` >> 12), 57344 + (`cents` & 4095), 32,
		61440 + (`cents` >> 15), 57344 + (`cents` >> 3 & 4095), 32,
		61952 + (`cents` >> 18), 57344 + (`cents` >> 6 & 4095), 32,
		62016 + (`cents` >> 21), 57344 + (`cents` >> 9 & 4095), 32,
		62024, 57344 + (`cents` >> 12), 32, 62025, 57344 + (`cents` >> 15), 32,
		62026, 57344 + (`cents` >> 18), 32, 62027, 57344 + (`cents` >> 21))
		AS `price_text`,
	iif(`available`, (SELECT group_concat(`token`, ' ') FROM `shelf_values` AS `v` WHERE `v`.`shelf` IN ('products', `shelf_lines`.`shelf`) AND `v`.`kind` = 'available' AND `v`.`value` = ''), '') AS `available_text`,
	iif(`verified`, (SELECT group_concat(`token`, ' ') FROM `shelf_values` AS `v` WHERE `v`.`shelf` IN ('products', `shelf_lines`.`shelf`) AND `v`.`kind` = 'verified' AND `v`.`value` = ''), '') AS `verified_text`
FROM `shelf_lines`;
--> statement-breakpoint
CREATE TRIGGER `shelf_phone_leaves` BEFORE UPDATE OF `number`, `seller_id`, `brand_name`, `model`, `processor`, `rom`, `ram`, `os`, `device_type`, `condition`, `market_cents`, `selling_cents`, `removal_id`, `status` ON `phones`
WHEN (OLD.`number`, OLD.`seller_id`, OLD.`brand_name`, OLD.`model`, OLD.`processor`, OLD.`rom`, OLD.`ram`, OLD.`os`, OLD.`device_type`, OLD.`condition`, OLD.`market_cents`, OLD.`selling_cents`, OLD.`removal_id`, OLD.`status` IN ('available', 'reserved'))
	IS NOT (NEW.`number`, NEW.`seller_id`, NEW.`brand_name`, NEW.`model`, NEW.`processor`, NEW.`rom`, NEW.`ram`, NEW.`os`, NEW.`device_type`, NEW.`condition`, NEW.`market_cents`, NEW.`selling_cents`, NEW.`removal_id`, NEW.`status` IN ('available', 'reserved'))
BEGIN
	INSERT INTO `shelf_moves` VALUES (-1, OLD.`number`);
END;
--> statement-breakpoint
CREATE TRIGGER `shelf_phone_returns` AFTER UPDATE OF `number`, `seller_id`, `brand_name`, `model`, `processor`, `rom`, `ram`, `os`, `device_type`, `condition`, `market_cents`, `selling_cents`, `removal_id`, `status` ON `phones`
WHEN (OLD.`number`, OLD.`seller_id`, OLD.`brand_name`, OLD.`model`, OLD.`processor`, OLD.`rom`, OLD.`ram`, OLD.`os`, OLD.`device_type`, OLD.`condition`, OLD.`market_cents`, OLD.`selling_cents`, OLD.`removal_id`, OLD.`status` IN ('available', 'reserved'))
	IS NOT (NEW.`number`, NEW.`seller_id`, NEW.`brand_name`, NEW.`model`, NEW.`processor`, NEW.`rom`, NEW.`ram`, NEW.`os`, NEW.`device_type`, NEW.`condition`, NEW.`market_cents`, NEW.`selling_cents`, NEW.`removal_id`, NEW.`status` IN ('available', 'reserved'))
BEGIN
	INSERT INTO `shelf_moves` VALUES (1, NEW.`number`);
END;
--> statement-breakpoint
CREATE TRIGGER `shelf_phone_booked` AFTER UPDATE OF `status` ON `phones`
WHEN OLD.`status` <> NEW.`status` AND NEW.`removal_id` IS NULL
	AND (OLD.`number`, OLD.`seller_id`, OLD.`brand_name`, OLD.`model`, OLD.`processor`, OLD.`rom`, OLD.`ram`, OLD.`os`, OLD.`device_type`, OLD.`condition`, OLD.`market_cents`, OLD.`selling_cents`, OLD.`removal_id`, OLD.`status` IN ('available', 'reserved'))
	IS (NEW.`number`, NEW.`seller_id`, NEW.`brand_name`, NEW.`model`, NEW.`processor`, NEW.`rom`, NEW.`ram`, NEW.`os`, NEW.`device_type`, NEW.`condition`, NEW.`market_cents`, NEW.`selling_cents`, NEW.`removal_id`, NEW.`status` IN ('available', 'reserved'))
BEGIN
	UPDATE `shelf_values` SET `count` = `count` + iif(NEW.`status` = 'available', 1, -1)
		WHERE `kind` = 'available' AND `value` = '' AND `shelf` IN ('products', (SELECT `shelf` FROM `shelf_lines` WHERE `number` = NEW.`number`));
	INSERT INTO `shelf_writes` SELECT iif(NEW.`status` = 'available', 1, -1), `number`, `price_place`, `saving_place`,
		(SELECT group_concat(`token`, ' ') FROM `shelf_values` AS `v` WHERE `v`.`shelf` IN ('products', `shelf_lines`.`shelf`) AND `v`.`kind` = 'available' AND `v`.`value` = ''), ''
		FROM `shelf_lines` WHERE `number` = NEW.`number`;
END;
--> statement-breakpoint
INSERT INTO `shelf_moves` SELECT 1, `number` FROM `phones` WHERE `condition` IS NOT NULL AND `number` IS NOT NULL;
