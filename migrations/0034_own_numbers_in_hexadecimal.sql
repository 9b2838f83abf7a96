-- Own numbers are indexed in hexadecimal: each is one word then, whatever its signs. Before, what followed a sign was a word of
-- its own, without its seller, so that one seller's number could be a word of another's.
DROP VIEW `selling_words`;
--> statement-breakpoint
-- Each word begins with its seller, so that no search reads those of others, and with a letter for its kind: t the tab, p
-- without photo, w of the device, s a size in megabytes, b the own number, n what that has from each character on.
CREATE VIEW `selling_words` AS SELECT `phones`.`number`,
	`seller_key` || 't' || replace(`tab`, ' ', '')
	|| iif(`cover` IS NULL, ' ' || `seller_key` || 'p', '')
	|| ' ' || `seller_key` || 'w' || replace(`search_text`, ' ', ' ' || `seller_key` || 'w')
	|| ' ' || iif(`phones`.`rom` GLOB '[0-9]*', `seller_key` || 's' || cast(cast(replace(`phones`.`rom`, ',', '.') AS real) * iif(lower(substr(ltrim(`phones`.`rom`, '0123456789., ' || char(160)), 1, 1)) = 't', 1048576, iif(lower(substr(ltrim(`phones`.`rom`, '0123456789., ' || char(160)), 1, 1)) = 'm', 1, 1024)) AS integer), '')
	|| ' ' || iif(`phones`.`ram` GLOB '[0-9]*', `seller_key` || 's' || cast(cast(replace(`phones`.`ram`, ',', '.') AS real) * iif(lower(substr(ltrim(`phones`.`ram`, '0123456789., ' || char(160)), 1, 1)) = 't', 1048576, iif(lower(substr(ltrim(`phones`.`ram`, '0123456789., ' || char(160)), 1, 1)) = 'm', 1, 1024)) AS integer), '')
	|| iif(`own_number` IS NULL, '', ' ' || `seller_key` || 'b' || hex(lower(`own_number`)) || ' ' || (SELECT group_concat(`seller_key` || 'n' || hex(lower(substr(`own_number`, `value`))), ' ') FROM json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,35,36,37,38,39,40]') WHERE `value` <= length(`own_number`))) AS `words`
FROM (SELECT *, replace(`seller_id`, '-', '') AS `seller_key` FROM `phones`) AS `phones`
JOIN `device_variants` ON `device_variants`.`id` = `variant_id`
WHERE `tab` IS NOT NULL;
--> statement-breakpoint
INSERT INTO `sellings_fts` (`sellings_fts`) VALUES ('delete-all');
--> statement-breakpoint
INSERT INTO `sellings_fts` (`rowid`, `words`) SELECT `number`, `words` FROM `selling_words`;
