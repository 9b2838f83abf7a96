-- Search on device variants: one row for all listings of one category, brand, model, processor, storage and RAM.
-- docs/search.md describes it. The full-text indexes of listings and all that belongs to them go.
DROP TRIGGER `shelf_phone_numbered`;
--> statement-breakpoint
DROP TRIGGER `shelf_phone_added`;
--> statement-breakpoint
DROP TRIGGER `shelf_phone_leaves`;
--> statement-breakpoint
DROP TRIGGER `shelf_phone_returns`;
--> statement-breakpoint
DROP TRIGGER `shelf_phone_booked`;
--> statement-breakpoint
DROP TRIGGER `shelf_phone_deleted`;
--> statement-breakpoint
DROP TRIGGER `shelf_seller_verified`;
--> statement-breakpoint
DROP TRIGGER `shelf_seller_deleted`;
--> statement-breakpoint
DROP TRIGGER `sellers_verified`;
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
DROP VIEW `shelf_variant_lines`;
--> statement-breakpoint
DROP VIEW `shelf_shares`;
--> statement-breakpoint
DROP VIEW `shelf_lines`;
--> statement-breakpoint
DROP TABLE `shelf_newest`;
--> statement-breakpoint
DROP TABLE `shelf_price`;
--> statement-breakpoint
DROP TABLE `shelf_saving`;
--> statement-breakpoint
DROP TABLE `shelf_variants`;
--> statement-breakpoint
DROP TABLE `shelf_values`;
--> statement-breakpoint
CREATE TABLE `device_variants` (
	`id` integer PRIMARY KEY NOT NULL,
	`category` text NOT NULL,
	`brand` text NOT NULL,
	`model` text NOT NULL,
	`processor` text NOT NULL,
	`rom` text NOT NULL,
	`ram` text NOT NULL,
	`model_slug` text NOT NULL,
	`search_text` text NOT NULL,
	`listed` integer DEFAULT 0 NOT NULL,
	`available` integer DEFAULT 0 NOT NULL,
	`verified` integer DEFAULT 0 NOT NULL,
	`excellent` integer DEFAULT 0 NOT NULL,
	`good` integer DEFAULT 0 NOT NULL,
	`fair` integer DEFAULT 0 NOT NULL,
	`battery_80` integer DEFAULT 0 NOT NULL,
	`battery_85` integer DEFAULT 0 NOT NULL,
	`battery_90` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `device_variants_device` ON `device_variants` (`model`,`brand`,`category`,`processor`,`rom`,`ram`);--> statement-breakpoint
CREATE INDEX `device_variants_brand` ON `device_variants` (`brand`);--> statement-breakpoint
CREATE INDEX `device_variants_rom` ON `device_variants` (`rom`);--> statement-breakpoint
CREATE INDEX `device_variants_ram` ON `device_variants` (`ram`);--> statement-breakpoint
CREATE INDEX `device_variants_model` ON `device_variants` (`model_slug`);--> statement-breakpoint
CREATE TABLE `facet_counts` (
	`category` text NOT NULL,
	`facet` text NOT NULL,
	`value` text NOT NULL,
	`listed` integer DEFAULT 0 NOT NULL,
	`available` integer DEFAULT 0 NOT NULL,
	`verified` integer DEFAULT 0 NOT NULL,
	`excellent` integer DEFAULT 0 NOT NULL,
	`good` integer DEFAULT 0 NOT NULL,
	`fair` integer DEFAULT 0 NOT NULL,
	`battery_80` integer DEFAULT 0 NOT NULL,
	`battery_85` integer DEFAULT 0 NOT NULL,
	`battery_90` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`category`, `facet`, `value`)
);
--> statement-breakpoint
CREATE INDEX `facet_counts_listed` ON `facet_counts` (`category`,`facet`,`listed`);--> statement-breakpoint
CREATE TABLE `search_words` (
	`id` integer PRIMARY KEY NOT NULL,
	`word` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `search_words_word_unique` ON `search_words` (`word`);--> statement-breakpoint
ALTER TABLE `phones` ADD `variant_id` integer;--> statement-breakpoint
ALTER TABLE `phones` ADD `seller_verified` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `phones` ADD `listed` integer GENERATED ALWAYS AS ("removal_id" is null and "status" <> 'sold') VIRTUAL;--> statement-breakpoint
ALTER TABLE `phones` ADD `category` text GENERATED ALWAYS AS (iif("device_type" = 'Tablet', 'tablet', iif("os" = 'Ios', 'ios', 'android'))) VIRTUAL;--> statement-breakpoint
ALTER TABLE `phones` ADD `saving_cents` integer GENERATED ALWAYS AS ("market_cents" - "selling_cents") VIRTUAL;--> statement-breakpoint
-- Variants are found by words, words by their trigrams.
CREATE VIRTUAL TABLE `device_variants_fts` USING fts5(`search_text`, content='device_variants', content_rowid='id', detail=none, columnsize=0, prefix='1 2 3', tokenize='unicode61 remove_diacritics 2');
--> statement-breakpoint
CREATE VIRTUAL TABLE `search_words_fts` USING fts5(`word`, content='search_words', content_rowid='id', detail=none, columnsize=0, tokenize='trigram');
--> statement-breakpoint
CREATE TRIGGER `device_variant_added` AFTER INSERT ON `device_variants` BEGIN
	INSERT INTO `device_variants_fts` (`rowid`, `search_text`) VALUES (NEW.`id`, NEW.`search_text`);
END;
--> statement-breakpoint
CREATE TRIGGER `device_variant_deleted` AFTER DELETE ON `device_variants` BEGIN
	INSERT INTO `device_variants_fts` (`device_variants_fts`, `rowid`, `search_text`) VALUES ('delete', OLD.`id`, OLD.`search_text`);
END;
--> statement-breakpoint
CREATE TRIGGER `search_word_added` AFTER INSERT ON `search_words` BEGIN
	INSERT INTO `search_words_fts` (`rowid`, `word`) VALUES (NEW.`id`, NEW.`word`);
END;
--> statement-breakpoint
CREATE TRIGGER `search_word_deleted` AFTER DELETE ON `search_words` BEGIN
	INSERT INTO `search_words_fts` (`search_words_fts`, `rowid`, `word`) VALUES ('delete', OLD.`id`, OLD.`word`);
END;
--> statement-breakpoint
-- Existing listings. Their texts are folded letter by letter, much as device-variant.rules.ts does it for new ones.
CREATE TABLE `folded_texts` (`text` text PRIMARY KEY NOT NULL, `words` text NOT NULL);
--> statement-breakpoint
INSERT INTO `folded_texts`
WITH RECURSIVE
	`texts` AS (SELECT `brand_name` || ' ' || `model` AS `text` FROM `phones` UNION SELECT `processor` FROM `phones`),
	`letters` (`text`, `rest`, `words`) AS (
		SELECT `text`, replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(lower(`text`), '+', ' plus '),
			'Ł', 'l'), 'ł', 'l'), 'Ø', 'o'), 'ø', 'o'), 'Đ', 'd'), 'đ', 'd'), 'Ð', 'd'), 'ð', 'd'), 'Þ', 'th'), 'þ', 'th'), 'ẞ', 'ss'), 'ß', 'ss'), 'Æ', 'ae'), 'æ', 'ae'), 'Œ', 'oe'), 'œ', 'oe'), 'ı', 'i'), ''
		FROM `texts`
		UNION ALL
		SELECT `text`, substr(`rest`, 2), `words` || iif(unicode(`rest`) > 127 OR `rest` GLOB '[a-z0-9]*', substr(`rest`, 1, 1), iif(`words` = '' OR `words` GLOB '* ', '', ' '))
		FROM `letters` WHERE `rest` <> ''
	)
SELECT `text`, trim(`words`) FROM `letters` WHERE `rest` = '';
--> statement-breakpoint
INSERT INTO `device_variants` (`category`, `brand`, `model`, `processor`, `rom`, `ram`, `model_slug`, `search_text`)
WITH RECURSIVE
	`devices` AS (
		SELECT DISTINCT `category`, `brand_name`, `model`, `processor`, `rom`, `ram`, `name`.`words` AS `name`, trim(`name`.`words` || ' ' || `chip`.`words`) AS `words`
		FROM `phones`
		JOIN `folded_texts` AS `name` ON `name`.`text` = `brand_name` || ' ' || `model`
		JOIN `folded_texts` AS `chip` ON `chip`.`text` = `processor`
	),
	`runs` (`words`, `rest`) AS (
		SELECT DISTINCT `words`, `words` FROM `devices`
		UNION ALL
		SELECT `words`, substr(`rest`, instr(`rest`, ' ') + 1) FROM `runs` WHERE instr(`rest`, ' ')
	),
	`joined` AS (SELECT `words`, group_concat(substr(replace(`rest`, ' ', ''), 1, 40), ' ') AS `runs` FROM `runs` WHERE instr(`rest`, ' ') GROUP BY `words`)
SELECT `category`, `brand_name`, `model`, `processor`, `rom`, `ram`, replace(`name`, ' ', '-'), `devices`.`words` || coalesce(' ' || `runs`, '')
FROM `devices` LEFT JOIN `joined` ON `joined`.`words` = `devices`.`words`;
--> statement-breakpoint
INSERT INTO `search_words` (`word`)
WITH RECURSIVE `tails` (`word`, `rest`) AS (
	SELECT '', `words` || ' ' FROM `folded_texts`
	UNION
	SELECT substr(`rest`, 1, instr(`rest`, ' ') - 1), substr(`rest`, instr(`rest`, ' ') + 1) FROM `tails` WHERE `rest` <> ''
)
SELECT DISTINCT `word` FROM `tails` WHERE length(`word`) BETWEEN 3 AND 40 AND `word` GLOB '*[^0-9]*';
--> statement-breakpoint
DROP TABLE `folded_texts`;
--> statement-breakpoint
UPDATE `phones` SET
	`variant_id` = (SELECT `v`.`id` FROM `device_variants` AS `v` WHERE (`v`.`category`, `v`.`brand`, `v`.`model`, `v`.`processor`, `v`.`rom`, `v`.`ram`) = (`phones`.`category`, `brand_name`, `phones`.`model`, `phones`.`processor`, `phones`.`rom`, `phones`.`ram`)),
	`seller_verified` = (SELECT `users`.`verified` IS 'yes' FROM `users` WHERE `users`.`id` = `seller_id`);
--> statement-breakpoint
DROP INDEX `phones_shelf`;
--> statement-breakpoint
CREATE INDEX `phones_kind` ON `phones` (`device_type`,`os`,`id`);
--> statement-breakpoint
CREATE INDEX `catalog_newest` ON `phones` (`number`,`category`,`variant_id`,`selling_cents`,`saving_cents`,`status`,`seller_verified`,`condition`,`battery_health`) WHERE "listed";
--> statement-breakpoint
CREATE INDEX `catalog_category_newest` ON `phones` (`category`,`number`,`variant_id`,`selling_cents`,`saving_cents`,`status`,`seller_verified`,`condition`,`battery_health`) WHERE "listed";
--> statement-breakpoint
CREATE INDEX `catalog_category_price` ON `phones` (`category`,`selling_cents`,`number`,`variant_id`,`saving_cents`,`status`,`seller_verified`,`condition`,`battery_health`) WHERE "listed";
--> statement-breakpoint
CREATE INDEX `catalog_category_saving` ON `phones` (`category`,`saving_cents`,`number`,`variant_id`,`selling_cents`,`status`,`seller_verified`,`condition`,`battery_health`) WHERE "listed";
--> statement-breakpoint
CREATE INDEX `catalog_price` ON `phones` (`selling_cents`,`number`,`category`,`variant_id`,`saving_cents`,`status`,`seller_verified`,`condition`,`battery_health`) WHERE "listed";
--> statement-breakpoint
CREATE INDEX `catalog_saving` ON `phones` (`saving_cents`,`number`,`category`,`variant_id`,`selling_cents`,`status`,`seller_verified`,`condition`,`battery_health`) WHERE "listed";
--> statement-breakpoint
CREATE INDEX `catalog_variant` ON `phones` (`variant_id`,`number`,`category`,`selling_cents`,`saving_cents`,`status`,`seller_verified`,`condition`,`battery_health`) WHERE "listed";
--> statement-breakpoint
-- What changes for a variant changes for its category and for all products.
CREATE TRIGGER `device_variant_counted` AFTER UPDATE OF `listed`, `available`, `verified`, `excellent`, `good`, `fair`, `battery_80`, `battery_85`, `battery_90` ON `device_variants` BEGIN
	INSERT INTO `facet_counts` (`category`, `facet`, `value`, `listed`, `available`, `verified`, `excellent`, `good`, `fair`, `battery_80`, `battery_85`, `battery_90`)
		SELECT `of`.`column1`, `in`.`column1`, `in`.`column2`, NEW.`listed` - OLD.`listed`, NEW.`available` - OLD.`available`, NEW.`verified` - OLD.`verified`, NEW.`excellent` - OLD.`excellent`, NEW.`good` - OLD.`good`, NEW.`fair` - OLD.`fair`, NEW.`battery_80` - OLD.`battery_80`, NEW.`battery_85` - OLD.`battery_85`, NEW.`battery_90` - OLD.`battery_90`
		FROM (VALUES ('products'), (NEW.`category`)) AS `of`
		CROSS JOIN (VALUES ('all', ''), ('brand', NEW.`brand`), ('rom', NEW.`rom`), ('ram', NEW.`ram`)) AS `in`
		WHERE true
		ON CONFLICT (`category`, `facet`, `value`) DO UPDATE SET
			`listed` = `listed` + excluded.`listed`,
			`available` = `available` + excluded.`available`,
			`verified` = `verified` + excluded.`verified`,
			`excellent` = `excellent` + excluded.`excellent`,
			`good` = `good` + excluded.`good`,
			`fair` = `fair` + excluded.`fair`,
			`battery_80` = `battery_80` + excluded.`battery_80`,
			`battery_85` = `battery_85` + excluded.`battery_85`,
			`battery_90` = `battery_90` + excluded.`battery_90`;
END;
--> statement-breakpoint
UPDATE `device_variants` SET `listed` = `n`, `available` = `a`, `verified` = `v`, `excellent` = `e`, `good` = `g`, `fair` = `f`, `battery_80` = `b80`, `battery_85` = `b85`, `battery_90` = `b90`
FROM (
	SELECT `variant_id`, count(*) AS `n`, sum(`status` = 'available') AS `a`, sum(`seller_verified`) AS `v`,
		sum(`condition` IS 'Excellent') AS `e`, sum(`condition` IS 'Good') AS `g`, sum(`condition` IS 'Fair') AS `f`,
		total(`battery_health` >= 80) AS `b80`, total(`battery_health` >= 85) AS `b85`, total(`battery_health` >= 90) AS `b90`
	FROM `phones` WHERE `phones`.`listed` GROUP BY `variant_id`
) WHERE `variant_id` = `id`;
--> statement-breakpoint
-- A new listing gets its number, its seller's verification and its variant, which is there by then.
CREATE TRIGGER `phone_added` AFTER INSERT ON `phones` BEGIN
	UPDATE `phones` SET
		`number` = coalesce(`number`, (SELECT coalesce(max(`number`), 0) + 1 FROM `phones`)),
		`seller_verified` = (SELECT `users`.`verified` IS 'yes' FROM `users` WHERE `users`.`id` = NEW.`seller_id`),
		`variant_id` = (SELECT `v`.`id` FROM `device_variants` AS `v` WHERE (`v`.`category`, `v`.`brand`, `v`.`model`, `v`.`processor`, `v`.`rom`, `v`.`ram`) = (NEW.`category`, NEW.`brand_name`, NEW.`model`, NEW.`processor`, NEW.`rom`, NEW.`ram`))
	WHERE `id` = NEW.`id`;
	SELECT RAISE(ABORT, 'A listing needs its device variant first') FROM `phones` WHERE `id` = NEW.`id` AND `variant_id` IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER `phone_edited` AFTER UPDATE OF `brand_name`, `model`, `processor`, `rom`, `ram`, `os`, `device_type` ON `phones` BEGIN
	UPDATE `phones` SET
		`variant_id` = (SELECT `v`.`id` FROM `device_variants` AS `v` WHERE (`v`.`category`, `v`.`brand`, `v`.`model`, `v`.`processor`, `v`.`rom`, `v`.`ram`) = (NEW.`category`, NEW.`brand_name`, NEW.`model`, NEW.`processor`, NEW.`rom`, NEW.`ram`))
	WHERE `id` = NEW.`id`;
	SELECT RAISE(ABORT, 'A listing needs its device variant first') FROM `phones` WHERE `id` = NEW.`id` AND `variant_id` IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER `phone_counted` AFTER UPDATE OF `variant_id`, `status`, `removal_id`, `seller_verified`, `condition`, `battery_health` ON `phones` BEGIN
	UPDATE `device_variants` SET
		`listed` = `listed` + (`id` IS NEW.`variant_id` AND NEW.`listed`) - (`id` IS OLD.`variant_id` AND OLD.`listed`),
		`available` = `available` + (`id` IS NEW.`variant_id` AND NEW.`listed` AND NEW.`status` = 'available') - (`id` IS OLD.`variant_id` AND OLD.`listed` AND OLD.`status` = 'available'),
		`verified` = `verified` + (`id` IS NEW.`variant_id` AND NEW.`listed` AND NEW.`seller_verified`) - (`id` IS OLD.`variant_id` AND OLD.`listed` AND OLD.`seller_verified`),
		`excellent` = `excellent` + (`id` IS NEW.`variant_id` AND NEW.`listed` AND NEW.`condition` IS 'Excellent') - (`id` IS OLD.`variant_id` AND OLD.`listed` AND OLD.`condition` IS 'Excellent'),
		`good` = `good` + (`id` IS NEW.`variant_id` AND NEW.`listed` AND NEW.`condition` IS 'Good') - (`id` IS OLD.`variant_id` AND OLD.`listed` AND OLD.`condition` IS 'Good'),
		`fair` = `fair` + (`id` IS NEW.`variant_id` AND NEW.`listed` AND NEW.`condition` IS 'Fair') - (`id` IS OLD.`variant_id` AND OLD.`listed` AND OLD.`condition` IS 'Fair'),
		`battery_80` = `battery_80` + (`id` IS NEW.`variant_id` AND NEW.`listed` AND coalesce(NEW.`battery_health` >= 80, 0)) - (`id` IS OLD.`variant_id` AND OLD.`listed` AND coalesce(OLD.`battery_health` >= 80, 0)),
		`battery_85` = `battery_85` + (`id` IS NEW.`variant_id` AND NEW.`listed` AND coalesce(NEW.`battery_health` >= 85, 0)) - (`id` IS OLD.`variant_id` AND OLD.`listed` AND coalesce(OLD.`battery_health` >= 85, 0)),
		`battery_90` = `battery_90` + (`id` IS NEW.`variant_id` AND NEW.`listed` AND coalesce(NEW.`battery_health` >= 90, 0)) - (`id` IS OLD.`variant_id` AND OLD.`listed` AND coalesce(OLD.`battery_health` >= 90, 0))
	WHERE `id` IN (NEW.`variant_id`, OLD.`variant_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `phone_deleted` AFTER DELETE ON `phones` WHEN OLD.`listed` BEGIN
	UPDATE `device_variants` SET
		`listed` = `listed` - 1,
		`available` = `available` - (OLD.`status` = 'available'),
		`verified` = `verified` - (OLD.`seller_verified`),
		`excellent` = `excellent` - (OLD.`condition` IS 'Excellent'),
		`good` = `good` - (OLD.`condition` IS 'Good'),
		`fair` = `fair` - (OLD.`condition` IS 'Fair'),
		`battery_80` = `battery_80` - (coalesce(OLD.`battery_health` >= 80, 0)),
		`battery_85` = `battery_85` - (coalesce(OLD.`battery_health` >= 85, 0)),
		`battery_90` = `battery_90` - (coalesce(OLD.`battery_health` >= 90, 0))
	WHERE `id` = OLD.`variant_id`;
END;
--> statement-breakpoint
CREATE TRIGGER `seller_verified` AFTER UPDATE OF `verified` ON `users` WHEN OLD.`verified` IS NOT NEW.`verified` BEGIN
	UPDATE `phones` SET `seller_verified` = NEW.`verified` IS 'yes' WHERE `seller_id` = NEW.`id`;
END;
