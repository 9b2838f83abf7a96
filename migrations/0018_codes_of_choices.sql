CREATE TABLE `choice_codes` (`name` text, `words` text, `code` text);
--> statement-breakpoint
INSERT INTO `choice_codes` VALUES
	('carrierLock', 'Unlocked', 'unlocked'), ('carrierLock', 'Locked to another carrier', 'other'),
	('scratches', 'None', 'none'), ('scratches', 'Light, seen up close', 'light'),
	('scratches', 'Deep, seen at arm’s length', 'deep'), ('scratches', 'Cracks or dents', 'cracks'),
	('repairs', 'None', 'none'), ('repairs', 'Battery replaced', 'battery'), ('repairs', 'Screen replaced', 'screen'),
	('repairs', 'Battery and screen replaced', 'battery and screen'), ('repairs', 'Other parts replaced', 'other'),
	('inTheBox', 'Device only', 'device'), ('inTheBox', 'Device and cable', 'cable'),
	('inTheBox', 'Device, cable and charger', 'charger'), ('inTheBox', 'Everything it came with', 'everything'),
	('delivery', 'Shipped', 'shipped'), ('delivery', 'In person', 'in person'), ('delivery', 'Shipped or in person', 'either');
--> statement-breakpoint
UPDATE `phones` SET `carrier_lock` = coalesce((SELECT `code` FROM `choice_codes` WHERE `name` = 'carrierLock' AND `words` = `carrier_lock`),
	substr(`carrier_lock`, length('Locked to ') + 1)) WHERE `carrier_lock` IS NOT NULL;
--> statement-breakpoint
UPDATE `phones` SET `details` = (SELECT json_group_object(`key`, coalesce(`code`, `value`))
	FROM json_each(`details`) LEFT JOIN `choice_codes` ON `name` = `key` AND `words` = `value`) WHERE `details` <> '{}';
--> statement-breakpoint
UPDATE `listing_drafts` SET `typed` = (SELECT json_group_object(`key`, coalesce(`code`,
		iif(`key` = 'carrierLock' AND `value` LIKE 'Locked to %', substr(`value`, length('Locked to ') + 1), `value`)))
	FROM json_each(`typed`) LEFT JOIN `choice_codes` ON `name` = `key` AND `words` = `value`);
--> statement-breakpoint
DROP TABLE `choice_codes`;
