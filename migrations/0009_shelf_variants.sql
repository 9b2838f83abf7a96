-- Searches that cost what a list costs. Five things change in what is written of each listing, so all is written anew:
--   what many listings have in common is said once, as their variant: the words of brand, model and processor, storage
--   and RAM. shelf_variants finds the variants that match, each entry of a listing has its variant's token, and a search
--   asks for those tokens in place of the words;
--   a verified seller's listing has its variant's token once more, with another private-use character behind it, so that
--   words and verification are one token as well;
--   places of the newest and of the biggest saving are negative, so that they are read upwards: FTS5 reads downwards by
--   unpacking a whole page of entries for each token;
--   availability is said of the reserved phones, with the token of 'available': they are few, and leaving out a few costs
--   less than finding the many;
--   letters that are no others with an accent are written as others ("Łódź" as "lodź", whose accents the tokenizer
--   leaves out); shelf-match.rules.ts does the same with what is typed.
DROP TRIGGER `shelf_phone_booked`;
--> statement-breakpoint
DROP VIEW `shelf_rebuilds`;
--> statement-breakpoint
DROP VIEW `shelf_verifications`;
--> statement-breakpoint
DROP VIEW `shelf_moves`;
--> statement-breakpoint
DROP VIEW `shelf_writes`;
--> statement-breakpoint
DROP VIEW `shelf_entries`;
--> statement-breakpoint
DROP VIEW `shelf_lines`;
--> statement-breakpoint
-- Its rowid is the variant's number in shelf_values; it holds those that a phone on the shelves has. Tokens are enough for
-- seven million numbers, dead variants among them, which leave when all is written anew.
CREATE VIRTUAL TABLE `shelf_variants` USING fts5(`text`, content='', columnsize=0, detail=none, prefix='1 2 3 4 5 6 7 8 9 10', tokenize='unicode61 remove_diacritics 2');
--> statement-breakpoint
CREATE TRIGGER `shelf_variant_added` AFTER INSERT ON `shelf_values` WHEN NEW.`kind` = 'variant' BEGIN
	INSERT INTO `shelf_variants` (`rowid`, `text`) VALUES (NEW.`number`, NEW.`value`);
END;
--> statement-breakpoint
CREATE TRIGGER `shelf_variant_leaves` AFTER UPDATE OF `count` ON `shelf_values` WHEN NEW.`kind` = 'variant' AND OLD.`count` > 0 AND NEW.`count` = 0 BEGIN
	INSERT INTO `shelf_variants` (`shelf_variants`, `rowid`, `text`) VALUES ('delete', OLD.`number`, OLD.`value`);
END;
--> statement-breakpoint
CREATE TRIGGER `shelf_variant_returns` AFTER UPDATE OF `count` ON `shelf_values` WHEN NEW.`kind` = 'variant' AND OLD.`count` = 0 AND NEW.`count` > 0 BEGIN
	INSERT INTO `shelf_variants` (`rowid`, `text`) VALUES (NEW.`number`, NEW.`value`);
END;
--> statement-breakpoint
CREATE VIEW `shelf_lines` AS
SELECT
	`phones`.`number` AS `number`,
	-`number` AS `newest_place`,
	(max(min(`selling_cents`, 16777215), 0) << 28) + `number` AS `price_place`,
	-(((max(min(`market_cents` - `selling_cents`, 16777215), -16777216) + 16777216) << 28) + `number`) AS `saving_place`,
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
-- What listings of one variant have in common: words and tokens, which stand in one order whatever the database's plan,
-- since it is by this text that a variant is found again. What a seller writes with private-use characters is left out:
-- it could pass for a token. So is what has a NUL, behind which GLOB does not look.
CREATE VIEW `shelf_variant_lines` AS
SELECT
	*,
	replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
		iif(`brand_name` GLOB `private` OR instr(`brand_name`, char(0)), '', `brand_name`) || ' ' || iif(`model` GLOB `private` OR instr(`model`, char(0)), '', `model`) || ' ' || iif(`processor` GLOB `private` OR instr(`processor`, char(0)), '', `processor`),
		'Ł', 'l'), 'ł', 'l'),
		'Ø', 'o'), 'ø', 'o'), 'Ǿ', 'o'), 'ǿ', 'o'),
		'Đ', 'd'), 'đ', 'd'), 'Ð', 'd'), 'ð', 'd'),
		'Þ', 'th'), 'þ', 'th'),
		'ẞ', 'ss'), 'ß', 'ss'),
		'Æ', 'ae'), 'æ', 'ae'), 'Ǽ', 'ae'), 'ǽ', 'ae'), 'Ǣ', 'ae'), 'ǣ', 'ae'),
		'Œ', 'oe'), 'œ', 'oe'),
		'ı', 'i')
		|| ' ' || (SELECT `every`.`token` || ' ' || `own`.`token` FROM `shelf_values` AS `every` CROSS JOIN `shelf_values` AS `own` WHERE (`every`.`shelf`, `every`.`kind`, `every`.`value`) = ('products', 'all', '') AND (`own`.`shelf`, `own`.`kind`, `own`.`value`) = (`shelf_lines`.`shelf`, 'all', ''))
		|| ' ' || (SELECT `every`.`token` || ' ' || `own`.`token` FROM `shelf_values` AS `every` CROSS JOIN `shelf_values` AS `own` WHERE (`every`.`shelf`, `every`.`kind`, `every`.`value`) = ('products', 'brand', `brand_name`) AND (`own`.`shelf`, `own`.`kind`, `own`.`value`) = (`shelf_lines`.`shelf`, 'brand', `brand_name`))
		|| ' ' || (SELECT `every`.`token` || ' ' || `own`.`token` FROM `shelf_values` AS `every` CROSS JOIN `shelf_values` AS `own` WHERE (`every`.`shelf`, `every`.`kind`, `every`.`value`) = ('products', 'storage', `rom`) AND (`own`.`shelf`, `own`.`kind`, `own`.`value`) = (`shelf_lines`.`shelf`, 'storage', `rom`))
		|| ' ' || (SELECT `every`.`token` || ' ' || `own`.`token` FROM `shelf_values` AS `every` CROSS JOIN `shelf_values` AS `own` WHERE (`every`.`shelf`, `every`.`kind`, `every`.`value`) = ('products', 'ram', `ram`) AND (`own`.`shelf`, `own`.`kind`, `own`.`value`) = (`shelf_lines`.`shelf`, 'ram', `ram`))
		AS `variant`
FROM `shelf_lines`;
--> statement-breakpoint
CREATE VIEW `shelf_entries` AS
SELECT
	`number`, `newest_place`, `price_place`, `saving_place`, `seller_id`,
	(SELECT `value` || ' ' || `token` FROM `shelf_values` AS `v` WHERE (`v`.`shelf`, `v`.`kind`, `v`.`value`) = (`shelf_variant_lines`.`shelf`, 'variant', `variant`)) ||
		coalesce(' ' || (SELECT group_concat(`token`, ' ') FROM `shelf_values` AS `v` WHERE `v`.`shelf` IN ('products', `shelf_variant_lines`.`shelf`) AND `v`.`kind` = 'condition' AND `v`.`value` = `condition`), '')
		AS `text`,
	' ' || char(57344 + (`cents` >> 12), 57344 + (`cents` & 4095), 32,
		61440 + (`cents` >> 15), 57344 + (`cents` >> 3 & 4095), 32,
		61952 + (`cents` >> 18), 57344 + (`cents` >> 6 & 4095), 32,
		62016 + (`cents` >> 21), 57344 + (`cents` >> 9 & 4095), 32,
		62024, 57344 + (`cents` >> 12), 32, 62025, 57344 + (`cents` >> 15), 32,
		62026, 57344 + (`cents` >> 18), 32, 62027, 57344 + (`cents` >> 21))
		AS `price_text`,
	iif(`available`, '', (SELECT group_concat(`token`, ' ') FROM `shelf_values` AS `v` WHERE `v`.`shelf` IN ('products', `shelf_variant_lines`.`shelf`) AND `v`.`kind` = 'available' AND `v`.`value` = '')) AS `reserved_text`,
	`verified`,
	(SELECT group_concat(`token`, ' ') FROM `shelf_values` AS `v` WHERE `v`.`shelf` IN ('products', `shelf_variant_lines`.`shelf`) AND `v`.`kind` = 'verified' AND `v`.`value` = '') || ' ' ||
		(SELECT `token` || char(57344) FROM `shelf_values` AS `v` WHERE (`v`.`shelf`, `v`.`kind`, `v`.`value`) = (`shelf_variant_lines`.`shelf`, 'variant', `variant`))
		AS `verified_text`
FROM `shelf_variant_lines`;
--> statement-breakpoint
CREATE VIEW `shelf_writes` AS SELECT 0 AS `step`, 0 AS `newest_place`, 0 AS `price_place`, 0 AS `saving_place`, '' AS `text`, '' AS `price_text` WHERE false;
--> statement-breakpoint
CREATE TRIGGER `shelf_write` INSTEAD OF INSERT ON `shelf_writes` BEGIN
	INSERT INTO `shelf_newest` (`shelf_newest`, `rowid`, `text`) SELECT iif(NEW.`step` < 0, 'delete', NULL), NEW.`newest_place`, NEW.`text` || NEW.`price_text` WHERE NEW.`text` <> '';
	INSERT INTO `shelf_price` (`shelf_price`, `rowid`, `text`) SELECT iif(NEW.`step` < 0, 'delete', NULL), NEW.`price_place`, NEW.`text` WHERE NEW.`text` <> '';
	INSERT INTO `shelf_saving` (`shelf_saving`, `rowid`, `text`) SELECT iif(NEW.`step` < 0, 'delete', NULL), NEW.`saving_place`, NEW.`text` || NEW.`price_text` WHERE NEW.`text` <> '';
END;
--> statement-breakpoint
CREATE VIEW `shelf_moves` AS SELECT 0 AS `step`, 0 AS `number` WHERE false;
--> statement-breakpoint
CREATE TRIGGER `shelf_move` INSTEAD OF INSERT ON `shelf_moves` BEGIN
	INSERT INTO `shelf_values` (`shelf`, `kind`, `value`, `count`)
		SELECT `shelf`, `kind`, `value`, NEW.`step` * `share` FROM `shelf_shares` WHERE `number` = NEW.`number`
		ON CONFLICT (`shelf`, `kind`, `value`) DO UPDATE SET `count` = `count` + excluded.`count`;
	INSERT INTO `shelf_values` (`shelf`, `kind`, `value`, `count`)
		SELECT `shelf`, 'variant', `variant`, NEW.`step` FROM `shelf_variant_lines` WHERE `number` = NEW.`number`
		ON CONFLICT (`shelf`, `kind`, `value`) DO UPDATE SET `count` = `count` + excluded.`count`;
	INSERT INTO `shelf_writes` SELECT NEW.`step`, `newest_place`, `price_place`, `saving_place`, `text`, `price_text` FROM `shelf_entries` WHERE `number` = NEW.`number`;
	INSERT INTO `shelf_writes` SELECT NEW.`step`, `newest_place`, `price_place`, `saving_place`, `reserved_text`, '' FROM `shelf_entries` WHERE `number` = NEW.`number`;
	INSERT INTO `shelf_writes` SELECT NEW.`step`, `newest_place`, `price_place`, `saving_place`, `verified_text`, '' FROM `shelf_entries` WHERE `number` = NEW.`number` AND `verified`;
END;
--> statement-breakpoint
CREATE VIEW `shelf_verifications` AS SELECT 0 AS `step`, '' AS `seller_id` WHERE false;
--> statement-breakpoint
CREATE TRIGGER `shelf_verification` INSTEAD OF INSERT ON `shelf_verifications` BEGIN
	INSERT INTO `shelf_values` (`shelf`, `kind`, `value`, `count`)
		SELECT iif(`own`.`column1`, `shelf`, 'products') AS `of`, 'verified', '', NEW.`step` * count(*) FROM `shelf_lines` CROSS JOIN (VALUES (0), (1)) AS `own` WHERE `seller_id` = NEW.`seller_id` GROUP BY `of`
		ON CONFLICT (`shelf`, `kind`, `value`) DO UPDATE SET `count` = `count` + excluded.`count`;
	INSERT INTO `shelf_newest` (`shelf_newest`, `rowid`, `text`)
		SELECT iif(NEW.`step` < 0, 'delete', NULL), `newest_place`, `verified_text`
		FROM `shelf_entries` WHERE `seller_id` = NEW.`seller_id` ORDER BY `newest_place`;
	INSERT INTO `shelf_price` (`shelf_price`, `rowid`, `text`)
		SELECT iif(NEW.`step` < 0, 'delete', NULL), `price_place`, `verified_text`
		FROM `shelf_entries` WHERE `seller_id` = NEW.`seller_id` ORDER BY `price_place`;
	INSERT INTO `shelf_saving` (`shelf_saving`, `rowid`, `text`)
		SELECT iif(NEW.`step` < 0, 'delete', NULL), `saving_place`, `verified_text`
		FROM `shelf_entries` WHERE `seller_id` = NEW.`seller_id` ORDER BY `saving_place`;
END;
--> statement-breakpoint
CREATE TRIGGER `shelf_phone_booked` AFTER UPDATE OF `status` ON `phones`
WHEN OLD.`status` <> NEW.`status` AND NEW.`removal_id` IS NULL
	AND (OLD.`number`, OLD.`seller_id`, OLD.`brand_name`, OLD.`model`, OLD.`processor`, OLD.`rom`, OLD.`ram`, OLD.`os`, OLD.`device_type`, OLD.`condition`, OLD.`market_cents`, OLD.`selling_cents`, OLD.`removal_id`, OLD.`status` IN ('available', 'reserved'))
	IS (NEW.`number`, NEW.`seller_id`, NEW.`brand_name`, NEW.`model`, NEW.`processor`, NEW.`rom`, NEW.`ram`, NEW.`os`, NEW.`device_type`, NEW.`condition`, NEW.`market_cents`, NEW.`selling_cents`, NEW.`removal_id`, NEW.`status` IN ('available', 'reserved'))
BEGIN
	UPDATE `shelf_values` SET `count` = `count` + iif(NEW.`status` = 'available', 1, -1)
		WHERE `kind` = 'available' AND `value` = '' AND `shelf` IN ('products', (SELECT `shelf` FROM `shelf_lines` WHERE `number` = NEW.`number`));
	INSERT INTO `shelf_writes` SELECT iif(NEW.`status` = 'available', -1, 1), `newest_place`, `price_place`, `saving_place`,
		(SELECT group_concat(`token`, ' ') FROM `shelf_values` AS `v` WHERE `v`.`shelf` IN ('products', `shelf_lines`.`shelf`) AND `v`.`kind` = 'available' AND `v`.`value` = ''), ''
		FROM `shelf_lines` WHERE `number` = NEW.`number`;
END;
--> statement-breakpoint
-- As before: anew from the tables, in one statement or in steps of numbers.
CREATE VIEW `shelf_rebuilds` AS SELECT 0 AS `first`, 0 AS `last` WHERE false;
--> statement-breakpoint
CREATE TRIGGER `shelf_rebuild` INSTEAD OF INSERT ON `shelf_rebuilds` BEGIN
	INSERT INTO `shelf_newest` (`shelf_newest`) SELECT 'delete-all' WHERE NEW.`first` = 0;
	INSERT INTO `shelf_price` (`shelf_price`) SELECT 'delete-all' WHERE NEW.`first` = 0;
	INSERT INTO `shelf_saving` (`shelf_saving`) SELECT 'delete-all' WHERE NEW.`first` = 0;
	INSERT INTO `shelf_variants` (`shelf_variants`) SELECT 'delete-all' WHERE NEW.`first` = 0;
	DELETE FROM `shelf_values` WHERE NEW.`first` = 0;
	INSERT INTO `shelf_values` (`shelf`, `kind`, `value`, `count`)
		SELECT `shelf`, `kind`, `value`, sum(`share`) FROM `shelf_shares` WHERE `number` BETWEEN NEW.`first` AND NEW.`last` GROUP BY `shelf`, `kind`, `value`
		ON CONFLICT (`shelf`, `kind`, `value`) DO UPDATE SET `count` = `count` + excluded.`count`;
	INSERT INTO `shelf_values` (`shelf`, `kind`, `value`, `count`)
		SELECT `shelf`, 'variant', `variant`, count(*) FROM `shelf_variant_lines` WHERE `number` BETWEEN NEW.`first` AND NEW.`last` GROUP BY `shelf`, `variant`
		ON CONFLICT (`shelf`, `kind`, `value`) DO UPDATE SET `count` = `count` + excluded.`count`;
	INSERT INTO `shelf_newest` (`rowid`, `text`) SELECT `newest_place`, `text` || `price_text` FROM `shelf_entries` WHERE `number` BETWEEN NEW.`first` AND NEW.`last` ORDER BY `newest_place`;
	INSERT INTO `shelf_newest` (`rowid`, `text`) SELECT `newest_place`, `reserved_text` FROM `shelf_entries` WHERE `number` BETWEEN NEW.`first` AND NEW.`last` AND `reserved_text` <> '' ORDER BY `newest_place`;
	INSERT INTO `shelf_newest` (`rowid`, `text`) SELECT `newest_place`, `verified_text` FROM `shelf_entries` WHERE `number` BETWEEN NEW.`first` AND NEW.`last` AND `verified` ORDER BY `newest_place`;
	INSERT INTO `shelf_price` (`rowid`, `text`) SELECT `price_place`, `text` FROM `shelf_entries` WHERE `number` BETWEEN NEW.`first` AND NEW.`last` ORDER BY `price_place`;
	INSERT INTO `shelf_price` (`rowid`, `text`) SELECT `price_place`, `reserved_text` FROM `shelf_entries` WHERE `number` BETWEEN NEW.`first` AND NEW.`last` AND `reserved_text` <> '' ORDER BY `price_place`;
	INSERT INTO `shelf_price` (`rowid`, `text`) SELECT `price_place`, `verified_text` FROM `shelf_entries` WHERE `number` BETWEEN NEW.`first` AND NEW.`last` AND `verified` ORDER BY `price_place`;
	INSERT INTO `shelf_saving` (`rowid`, `text`) SELECT `saving_place`, `text` || `price_text` FROM `shelf_entries` WHERE `number` BETWEEN NEW.`first` AND NEW.`last` ORDER BY `saving_place`;
	INSERT INTO `shelf_saving` (`rowid`, `text`) SELECT `saving_place`, `reserved_text` FROM `shelf_entries` WHERE `number` BETWEEN NEW.`first` AND NEW.`last` AND `reserved_text` <> '' ORDER BY `saving_place`;
	INSERT INTO `shelf_saving` (`rowid`, `text`) SELECT `saving_place`, `verified_text` FROM `shelf_entries` WHERE `number` BETWEEN NEW.`first` AND NEW.`last` AND `verified` ORDER BY `saving_place`;
END;
--> statement-breakpoint
-- In steps, as much as a database does in one statement.
INSERT INTO `shelf_rebuilds` VALUES (0, 99999);
--> statement-breakpoint
INSERT INTO `shelf_rebuilds` VALUES (100000, 199999);
--> statement-breakpoint
INSERT INTO `shelf_rebuilds` VALUES (200000, 299999);
--> statement-breakpoint
INSERT INTO `shelf_rebuilds` VALUES (300000, 399999);
--> statement-breakpoint
INSERT INTO `shelf_rebuilds` VALUES (400000, 499999);
--> statement-breakpoint
INSERT INTO `shelf_rebuilds` VALUES (500000, 599999);
--> statement-breakpoint
INSERT INTO `shelf_rebuilds` VALUES (600000, 699999);
--> statement-breakpoint
INSERT INTO `shelf_rebuilds` VALUES (700000, 799999);
--> statement-breakpoint
INSERT INTO `shelf_rebuilds` VALUES (800000, 899999);
--> statement-breakpoint
INSERT INTO `shelf_rebuilds` VALUES (900000, 268435455);
