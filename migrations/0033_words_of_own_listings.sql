DROP INDEX `phones_tab_variant`;--> statement-breakpoint
CREATE INDEX `phones_seller_price` ON `phones` (`seller_id`,`selling_cents`,`id`) WHERE "phones"."tab" is not null;--> statement-breakpoint
CREATE INDEX `phones_seller_views` ON `phones` (`seller_id`,`views`,`id`) WHERE "phones"."tab" is not null;
--> statement-breakpoint
-- What a seller finds their listings by. It stores no texts, only their index.
CREATE VIRTUAL TABLE `sellings_fts` USING fts5(`words`, content='', contentless_delete=1, tokenize='unicode61 remove_diacritics 2');
--> statement-breakpoint
-- Each word begins with its seller, so that no search reads those of others, and with a letter for its kind: t the tab, p
-- without photo, w of the device, s a size in megabytes, b the own number, n what that has from each character on.
CREATE VIEW `selling_words` AS SELECT `phones`.`number`,
	`seller_key` || 't' || replace(`tab`, ' ', '')
	|| iif(`cover` IS NULL, ' ' || `seller_key` || 'p', '')
	|| ' ' || `seller_key` || 'w' || replace(`search_text`, ' ', ' ' || `seller_key` || 'w')
	|| ' ' || iif(`phones`.`rom` GLOB '[0-9]*', `seller_key` || 's' || cast(cast(replace(`phones`.`rom`, ',', '.') AS real) * iif(lower(substr(ltrim(`phones`.`rom`, '0123456789., ' || char(160)), 1, 1)) = 't', 1048576, iif(lower(substr(ltrim(`phones`.`rom`, '0123456789., ' || char(160)), 1, 1)) = 'm', 1, 1024)) AS integer), '')
	|| ' ' || iif(`phones`.`ram` GLOB '[0-9]*', `seller_key` || 's' || cast(cast(replace(`phones`.`ram`, ',', '.') AS real) * iif(lower(substr(ltrim(`phones`.`ram`, '0123456789., ' || char(160)), 1, 1)) = 't', 1048576, iif(lower(substr(ltrim(`phones`.`ram`, '0123456789., ' || char(160)), 1, 1)) = 'm', 1, 1024)) AS integer), '')
	|| iif(`own_number` IS NULL, '', ' ' || `seller_key` || 'b' || `own_number` || ' ' || (SELECT group_concat(`seller_key` || 'n' || substr(`own_number`, `value`), ' ') FROM json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40]') WHERE `value` <= length(`own_number`))) AS `words`
FROM (SELECT *, replace(`seller_id`, '-', '') AS `seller_key` FROM `phones`) AS `phones`
JOIN `device_variants` ON `device_variants`.`id` = `variant_id`
WHERE `tab` IS NOT NULL;
--> statement-breakpoint
INSERT INTO `sellings_fts` (`rowid`, `words`) SELECT `number`, `words` FROM `selling_words`;
--> statement-breakpoint
CREATE TRIGGER `selling_words_changed` AFTER UPDATE OF `tab`, `variant_id`, `own_number`, `cover` ON `phones` WHEN OLD.`tab` IS NOT NEW.`tab` OR NEW.`tab` IS NOT NULL AND (OLD.`variant_id` <> NEW.`variant_id` OR OLD.`own_number` IS NOT NEW.`own_number` OR (OLD.`cover` IS NULL) <> (NEW.`cover` IS NULL)) BEGIN
	DELETE FROM `sellings_fts` WHERE `rowid` = OLD.`number` AND OLD.`tab` IS NOT NULL;
	INSERT INTO `sellings_fts` (`rowid`, `words`) SELECT `number`, `words` FROM `selling_words` WHERE `number` = NEW.`number`;
END;
--> statement-breakpoint
CREATE TRIGGER `selling_words_deleted` AFTER DELETE ON `phones` WHEN OLD.`tab` IS NOT NULL BEGIN
	DELETE FROM `sellings_fts` WHERE `rowid` = OLD.`number`;
END;
