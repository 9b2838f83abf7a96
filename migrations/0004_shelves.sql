-- The shelves' indexes: one for each order a shelf can have. An entry's rowid is its place in that order, so that a
-- page begins at a place however deep it is. An entry says no text, only which words and tokens it has:
--   the words of brand, model and processor;
--   what a visitor can choose, as tokens from shelf_values;
--   its price, as eight tokens from the cent up to whole seven-digit steps, each step eight times the one before, so
--   that any range of prices is a small number of tokens (shelf-match.rules.ts says them in the same way).
-- Whatever writes must take back exactly what it wrote, so nothing but the triggers below may write here.
CREATE VIRTUAL TABLE `shelf_newest` USING fts5(`text`, content='', columnsize=0, detail=none, prefix='1 2 3 4 5 6 7 8 9 10', tokenize='unicode61 remove_diacritics 2');
--> statement-breakpoint
CREATE VIRTUAL TABLE `shelf_price` USING fts5(`text`, content='', columnsize=0, detail=none, prefix='1 2 3 4 5 6 7 8 9 10', tokenize='unicode61 remove_diacritics 2');
--> statement-breakpoint
CREATE VIRTUAL TABLE `shelf_saving` USING fts5(`text`, content='', columnsize=0, detail=none, prefix='1 2 3 4 5 6 7 8 9 10', tokenize='unicode61 remove_diacritics 2');
--> statement-breakpoint
-- What stands on the shelves, and where in each order. 2^28 places for each cent: the place of a price stays below 2^53.
CREATE VIEW `shelf_lines` AS
SELECT
	`phones`.`number` AS `number`,
	(max(min(`selling_cents`, 16777215), 0) << 28) + `number` AS `price_place`,
	((max(min(`market_cents` - `selling_cents`, 16777215), -16777216) + 16777216) << 28) + `number` AS `saving_place`,
	`seller_id`,
	iif(`device_type` = 'Tablet', 'tablet', iif(`os` = 'Ios', 'ios', 'android')) AS `shelf`,
	`brand_name`, `model`, `processor`, `rom`, `ram`,
	max(min(`selling_cents`, 16777215), 0) AS `cents`,
	`status` = 'available' AS `available`,
	'*[' || char(57344) || '-' || char(63743) || ']*' AS `private`,
	(SELECT `verified` FROM `users` WHERE `users`.`id` = `seller_id`) IS 'yes' AS `verified`
FROM `phones`
WHERE `number` IS NOT NULL AND `removal_id` IS NULL AND `status` IN ('available', 'reserved');
--> statement-breakpoint
-- What each line counts towards: on the shelf of all products, and on its own.
CREATE VIEW `shelf_shares` AS
SELECT
	`number`,
	iif(`own`.`column1`, `shelf`, 'products') AS `shelf`,
	`kind`.`column1` AS `kind`,
	iif(`kind`.`column1` = 'brand', `brand_name`, iif(`kind`.`column1` = 'storage', `rom`, iif(`kind`.`column1` = 'ram', `ram`, ''))) AS `value`,
	iif(`kind`.`column1` = 'available', `available`, iif(`kind`.`column1` = 'verified', `verified`, 1)) AS `share`
FROM `shelf_lines`
CROSS JOIN (VALUES (0), (1)) AS `own`
CROSS JOIN (VALUES ('all'), ('brand'), ('storage'), ('ram'), ('verified'), ('available')) AS `kind`;
--> statement-breakpoint
-- What is written of each line. Availability and the seller's verification change alone, so each is an entry of its own
-- under the same place; they are empty where the line has them not. What a seller writes with private-use characters is
-- left out: it could pass for a token.
CREATE VIEW `shelf_entries` AS
SELECT
	`number`, `price_place`, `saving_place`, `seller_id`,
	iif(`brand_name` GLOB `private`, '', `brand_name`) || ' ' || iif(`model` GLOB `private`, '', `model`) || ' ' || iif(`processor` GLOB `private`, '', `processor`) || ' ' ||
		(SELECT group_concat(`token`, ' ') FROM `shelf_values` AS `v` WHERE `v`.`shelf` IN ('products', `shelf_lines`.`shelf`) AND `v`.`kind` = 'all' AND `v`.`value` = '') || ' ' ||
		(SELECT group_concat(`token`, ' ') FROM `shelf_values` AS `v` WHERE `v`.`shelf` IN ('products', `shelf_lines`.`shelf`) AND `v`.`kind` = 'brand' AND `v`.`value` = `brand_name`) || ' ' ||
		(SELECT group_concat(`token`, ' ') FROM `shelf_values` AS `v` WHERE `v`.`shelf` IN ('products', `shelf_lines`.`shelf`) AND `v`.`kind` = 'storage' AND `v`.`value` = `rom`) || ' ' ||
		(SELECT group_concat(`token`, ' ') FROM `shelf_values` AS `v` WHERE `v`.`shelf` IN ('products', `shelf_lines`.`shelf`) AND `v`.`kind` = 'ram' AND `v`.`value` = `ram`)
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
-- Puts an entry into each index (step 1) or takes it out (step -1).
CREATE VIEW `shelf_writes` AS SELECT 0 AS `step`, 0 AS `number`, 0 AS `price_place`, 0 AS `saving_place`, '' AS `text`, '' AS `price_text` WHERE false;
--> statement-breakpoint
CREATE TRIGGER `shelf_write` INSTEAD OF INSERT ON `shelf_writes` BEGIN
	INSERT INTO `shelf_newest` (`shelf_newest`, `rowid`, `text`) SELECT iif(NEW.`step` < 0, 'delete', NULL), NEW.`number`, NEW.`text` || NEW.`price_text` WHERE NEW.`text` <> '';
	INSERT INTO `shelf_price` (`shelf_price`, `rowid`, `text`) SELECT iif(NEW.`step` < 0, 'delete', NULL), NEW.`price_place`, NEW.`text` WHERE NEW.`text` <> '';
	INSERT INTO `shelf_saving` (`shelf_saving`, `rowid`, `text`) SELECT iif(NEW.`step` < 0, 'delete', NULL), NEW.`saving_place`, NEW.`text` || NEW.`price_text` WHERE NEW.`text` <> '';
END;
--> statement-breakpoint
-- Puts a listing with all its entries on the shelves, or takes it off, as its row is at that moment.
CREATE VIEW `shelf_moves` AS SELECT 0 AS `step`, 0 AS `number` WHERE false;
--> statement-breakpoint
CREATE TRIGGER `shelf_move` INSTEAD OF INSERT ON `shelf_moves` BEGIN
	INSERT INTO `shelf_values` (`shelf`, `kind`, `value`, `count`)
		SELECT `shelf`, `kind`, `value`, NEW.`step` * `share` FROM `shelf_shares` WHERE `number` = NEW.`number`
		ON CONFLICT (`shelf`, `kind`, `value`) DO UPDATE SET `count` = `count` + excluded.`count`;
	INSERT INTO `shelf_writes` SELECT NEW.`step`, `number`, `price_place`, `saving_place`, `text`, `price_text` FROM `shelf_entries` WHERE `number` = NEW.`number`;
	INSERT INTO `shelf_writes` SELECT NEW.`step`, `number`, `price_place`, `saving_place`, `available_text`, '' FROM `shelf_entries` WHERE `number` = NEW.`number`;
	INSERT INTO `shelf_writes` SELECT NEW.`step`, `number`, `price_place`, `saving_place`, `verified_text`, '' FROM `shelf_entries` WHERE `number` = NEW.`number`;
END;
--> statement-breakpoint
CREATE TRIGGER `shelf_phone_numbered` AFTER INSERT ON `phones` WHEN NEW.`number` IS NULL BEGIN
	UPDATE `phones` SET `number` = (SELECT coalesce(max(`number`), 0) + 1 FROM `phones`) WHERE `id` = NEW.`id`;
END;
--> statement-breakpoint
CREATE TRIGGER `shelf_phone_added` AFTER INSERT ON `phones` WHEN NEW.`number` IS NOT NULL BEGIN
	INSERT INTO `shelf_moves` VALUES (1, NEW.`number`);
END;
--> statement-breakpoint
CREATE TRIGGER `shelf_phone_deleted` BEFORE DELETE ON `phones` BEGIN
	INSERT INTO `shelf_moves` VALUES (-1, OLD.`number`);
END;
--> statement-breakpoint
CREATE TRIGGER `shelf_phone_leaves` BEFORE UPDATE OF `number`, `seller_id`, `brand_name`, `model`, `processor`, `rom`, `ram`, `os`, `device_type`, `market_cents`, `selling_cents`, `removal_id`, `status` ON `phones`
WHEN (OLD.`number`, OLD.`seller_id`, OLD.`brand_name`, OLD.`model`, OLD.`processor`, OLD.`rom`, OLD.`ram`, OLD.`os`, OLD.`device_type`, OLD.`market_cents`, OLD.`selling_cents`, OLD.`removal_id`, OLD.`status` IN ('available', 'reserved'))
	IS NOT (NEW.`number`, NEW.`seller_id`, NEW.`brand_name`, NEW.`model`, NEW.`processor`, NEW.`rom`, NEW.`ram`, NEW.`os`, NEW.`device_type`, NEW.`market_cents`, NEW.`selling_cents`, NEW.`removal_id`, NEW.`status` IN ('available', 'reserved'))
BEGIN
	INSERT INTO `shelf_moves` VALUES (-1, OLD.`number`);
END;
--> statement-breakpoint
CREATE TRIGGER `shelf_phone_returns` AFTER UPDATE OF `number`, `seller_id`, `brand_name`, `model`, `processor`, `rom`, `ram`, `os`, `device_type`, `market_cents`, `selling_cents`, `removal_id`, `status` ON `phones`
WHEN (OLD.`number`, OLD.`seller_id`, OLD.`brand_name`, OLD.`model`, OLD.`processor`, OLD.`rom`, OLD.`ram`, OLD.`os`, OLD.`device_type`, OLD.`market_cents`, OLD.`selling_cents`, OLD.`removal_id`, OLD.`status` IN ('available', 'reserved'))
	IS NOT (NEW.`number`, NEW.`seller_id`, NEW.`brand_name`, NEW.`model`, NEW.`processor`, NEW.`rom`, NEW.`ram`, NEW.`os`, NEW.`device_type`, NEW.`market_cents`, NEW.`selling_cents`, NEW.`removal_id`, NEW.`status` IN ('available', 'reserved'))
BEGIN
	INSERT INTO `shelf_moves` VALUES (1, NEW.`number`);
END;
--> statement-breakpoint
-- A booking, or its end: the phone stays where it is and only its availability changes.
CREATE TRIGGER `shelf_phone_booked` AFTER UPDATE OF `status` ON `phones`
WHEN OLD.`status` <> NEW.`status` AND NEW.`removal_id` IS NULL
	AND (OLD.`number`, OLD.`seller_id`, OLD.`brand_name`, OLD.`model`, OLD.`processor`, OLD.`rom`, OLD.`ram`, OLD.`os`, OLD.`device_type`, OLD.`market_cents`, OLD.`selling_cents`, OLD.`removal_id`, OLD.`status` IN ('available', 'reserved'))
	IS (NEW.`number`, NEW.`seller_id`, NEW.`brand_name`, NEW.`model`, NEW.`processor`, NEW.`rom`, NEW.`ram`, NEW.`os`, NEW.`device_type`, NEW.`market_cents`, NEW.`selling_cents`, NEW.`removal_id`, NEW.`status` IN ('available', 'reserved'))
BEGIN
	UPDATE `shelf_values` SET `count` = `count` + iif(NEW.`status` = 'available', 1, -1)
		WHERE `kind` = 'available' AND `value` = '' AND `shelf` IN ('products', (SELECT `shelf` FROM `shelf_lines` WHERE `number` = NEW.`number`));
	INSERT INTO `shelf_writes` SELECT iif(NEW.`status` = 'available', 1, -1), `number`, `price_place`, `saving_place`,
		(SELECT group_concat(`token`, ' ') FROM `shelf_values` AS `v` WHERE `v`.`shelf` IN ('products', `shelf_lines`.`shelf`) AND `v`.`kind` = 'available' AND `v`.`value` = ''), ''
		FROM `shelf_lines` WHERE `number` = NEW.`number`;
END;
--> statement-breakpoint
-- Verifies what a seller has on the shelves (step 1), or no longer (step -1). Each index is written in its own order,
-- since out of order it would be written in many small pieces.
CREATE VIEW `shelf_verifications` AS SELECT 0 AS `step`, '' AS `seller_id` WHERE false;
--> statement-breakpoint
CREATE TRIGGER `shelf_verification` INSTEAD OF INSERT ON `shelf_verifications` BEGIN
	INSERT INTO `shelf_values` (`shelf`, `kind`, `value`, `count`)
		SELECT iif(`own`.`column1`, `shelf`, 'products') AS `of`, 'verified', '', NEW.`step` * count(*) FROM `shelf_lines` CROSS JOIN (VALUES (0), (1)) AS `own` WHERE `seller_id` = NEW.`seller_id` GROUP BY `of`
		ON CONFLICT (`shelf`, `kind`, `value`) DO UPDATE SET `count` = `count` + excluded.`count`;
	INSERT INTO `shelf_newest` (`shelf_newest`, `rowid`, `text`)
		SELECT iif(NEW.`step` < 0, 'delete', NULL), `number`, (SELECT group_concat(`token`, ' ') FROM `shelf_values` AS `v` WHERE `v`.`shelf` IN ('products', `shelf_lines`.`shelf`) AND `v`.`kind` = 'verified' AND `v`.`value` = '')
		FROM `shelf_lines` WHERE `seller_id` = NEW.`seller_id` ORDER BY `number`;
	INSERT INTO `shelf_price` (`shelf_price`, `rowid`, `text`)
		SELECT iif(NEW.`step` < 0, 'delete', NULL), `price_place`, (SELECT group_concat(`token`, ' ') FROM `shelf_values` AS `v` WHERE `v`.`shelf` IN ('products', `shelf_lines`.`shelf`) AND `v`.`kind` = 'verified' AND `v`.`value` = '')
		FROM `shelf_lines` WHERE `seller_id` = NEW.`seller_id` ORDER BY `price_place`;
	INSERT INTO `shelf_saving` (`shelf_saving`, `rowid`, `text`)
		SELECT iif(NEW.`step` < 0, 'delete', NULL), `saving_place`, (SELECT group_concat(`token`, ' ') FROM `shelf_values` AS `v` WHERE `v`.`shelf` IN ('products', `shelf_lines`.`shelf`) AND `v`.`kind` = 'verified' AND `v`.`value` = '')
		FROM `shelf_lines` WHERE `seller_id` = NEW.`seller_id` ORDER BY `saving_place`;
END;
--> statement-breakpoint
CREATE TRIGGER `shelf_seller_verified` AFTER UPDATE OF `verified` ON `users` WHEN OLD.`verified` IS NOT NEW.`verified` BEGIN
	INSERT INTO `shelf_verifications` VALUES (iif(NEW.`verified` IS 'yes', 1, -1), NEW.`id`);
END;
--> statement-breakpoint
CREATE TRIGGER `shelf_seller_deleted` BEFORE DELETE ON `users` WHEN OLD.`verified` IS 'yes' BEGIN
	INSERT INTO `shelf_verifications` VALUES (-1, OLD.`id`);
END;
--> statement-breakpoint
-- Writes everything above anew from the tables: INSERT INTO shelf_rebuilds VALUES (0, 268435455). Where that is more
-- than a database does in one statement, in steps of numbers, in their order; the first begins at 0 and empties all.
-- Between such steps nobody else may write.
CREATE VIEW `shelf_rebuilds` AS SELECT 0 AS `first`, 0 AS `last` WHERE false;
--> statement-breakpoint
CREATE TRIGGER `shelf_rebuild` INSTEAD OF INSERT ON `shelf_rebuilds` BEGIN
	INSERT INTO `shelf_newest` (`shelf_newest`) SELECT 'delete-all' WHERE NEW.`first` = 0;
	INSERT INTO `shelf_price` (`shelf_price`) SELECT 'delete-all' WHERE NEW.`first` = 0;
	INSERT INTO `shelf_saving` (`shelf_saving`) SELECT 'delete-all' WHERE NEW.`first` = 0;
	DELETE FROM `shelf_values` WHERE NEW.`first` = 0;
	INSERT INTO `shelf_values` (`shelf`, `kind`, `value`, `count`)
		SELECT `shelf`, `kind`, `value`, sum(`share`) FROM `shelf_shares` WHERE `number` BETWEEN NEW.`first` AND NEW.`last` GROUP BY `shelf`, `kind`, `value`
		ON CONFLICT (`shelf`, `kind`, `value`) DO UPDATE SET `count` = `count` + excluded.`count`;
	INSERT INTO `shelf_newest` (`rowid`, `text`) SELECT `number`, `text` || `price_text` FROM `shelf_entries` WHERE `number` BETWEEN NEW.`first` AND NEW.`last` ORDER BY `number`;
	INSERT INTO `shelf_newest` (`rowid`, `text`) SELECT `number`, `available_text` FROM `shelf_entries` WHERE `number` BETWEEN NEW.`first` AND NEW.`last` AND `available_text` <> '' ORDER BY `number`;
	INSERT INTO `shelf_newest` (`rowid`, `text`) SELECT `number`, `verified_text` FROM `shelf_entries` WHERE `number` BETWEEN NEW.`first` AND NEW.`last` AND `verified_text` <> '' ORDER BY `number`;
	INSERT INTO `shelf_price` (`rowid`, `text`) SELECT `price_place`, `text` FROM `shelf_entries` WHERE `number` BETWEEN NEW.`first` AND NEW.`last` ORDER BY `price_place`;
	INSERT INTO `shelf_price` (`rowid`, `text`) SELECT `price_place`, `available_text` FROM `shelf_entries` WHERE `number` BETWEEN NEW.`first` AND NEW.`last` AND `available_text` <> '' ORDER BY `price_place`;
	INSERT INTO `shelf_price` (`rowid`, `text`) SELECT `price_place`, `verified_text` FROM `shelf_entries` WHERE `number` BETWEEN NEW.`first` AND NEW.`last` AND `verified_text` <> '' ORDER BY `price_place`;
	INSERT INTO `shelf_saving` (`rowid`, `text`) SELECT `saving_place`, `text` || `price_text` FROM `shelf_entries` WHERE `number` BETWEEN NEW.`first` AND NEW.`last` ORDER BY `saving_place`;
	INSERT INTO `shelf_saving` (`rowid`, `text`) SELECT `saving_place`, `available_text` FROM `shelf_entries` WHERE `number` BETWEEN NEW.`first` AND NEW.`last` AND `available_text` <> '' ORDER BY `saving_place`;
	INSERT INTO `shelf_saving` (`rowid`, `text`) SELECT `saving_place`, `verified_text` FROM `shelf_entries` WHERE `number` BETWEEN NEW.`first` AND NEW.`last` AND `verified_text` <> '' ORDER BY `saving_place`;
END;
--> statement-breakpoint
-- Listings of before, in the order of their keys.
UPDATE `phones` SET `number` = `numbered`.`number` FROM (SELECT `id`, row_number() OVER (ORDER BY `id`) AS `number` FROM `phones`) AS `numbered` WHERE `numbered`.`id` = `phones`.`id` AND `phones`.`number` IS NULL;
