DROP TRIGGER `order_words_added`;
--> statement-breakpoint
DROP TRIGGER `order_words_changed`;
--> statement-breakpoint
DROP TRIGGER `saved_address_words_added`;
--> statement-breakpoint
DROP TRIGGER `saved_address_words_changed`;
--> statement-breakpoint
DROP VIEW `record_words`;
--> statement-breakpoint
DROP TABLE `records_fts`;
--> statement-breakpoint
-- Orders and saved addresses get columns of their own, so that no search for what people wrote reads them.
CREATE VIRTUAL TABLE `records_fts` USING fts5(`name`, `email`, `details`, `address`, `phone`, content='', contentless_delete=1, prefix='1 2 3', tokenize='unicode61 remove_diacritics 2');
--> statement-breakpoint
-- What is inserted here is indexed under the number of its record.
CREATE VIEW `record_words` AS SELECT '' AS `record_id`, '' AS `kind`, '' AS `name`, '' AS `email`, '' AS `details`, '' AS `address`, '' AS `phone`;
--> statement-breakpoint
-- `unicode61` folds letter case and the accents of Latin letters. The others are in app/db/fold-text.ts. A phone number is
-- indexed from each of its first 18 digits on, so that any three in a row find it.
-- The separators taken out of it are in app/db/record-search.server.ts, too.
CREATE TRIGGER `record_words_folded` INSTEAD OF INSERT ON `record_words` BEGIN
	INSERT INTO `records_fts` (`rowid`, `name`, `email`, `details`, `address`, `phone`) SELECT
		(SELECT `number` FROM `record_numbers` WHERE `record_id` = NEW.`record_id` AND `kind` = NEW.`kind`),
		replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(`name`, 'Ά', 'α'), 'Έ', 'ε'), 'Ή', 'η'), 'Ί', 'ι'), 'Ό', 'ο'), 'Ύ', 'υ'), 'Ώ', 'ω'), 'ΐ', 'ι'), 'Ϊ', 'ι'), 'Ϋ', 'υ'), 'ά', 'α'), 'έ', 'ε'), 'ή', 'η'), 'ί', 'ι'), 'ΰ', 'υ'), 'ϊ', 'ι'), 'ϋ', 'υ'), 'ό', 'ο'), 'ύ', 'υ'), 'ώ', 'ω'),
		replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(`email`, 'Ά', 'α'), 'Έ', 'ε'), 'Ή', 'η'), 'Ί', 'ι'), 'Ό', 'ο'), 'Ύ', 'υ'), 'Ώ', 'ω'), 'ΐ', 'ι'), 'Ϊ', 'ι'), 'Ϋ', 'υ'), 'ά', 'α'), 'έ', 'ε'), 'ή', 'η'), 'ί', 'ι'), 'ΰ', 'υ'), 'ϊ', 'ι'), 'ϋ', 'υ'), 'ό', 'ο'), 'ύ', 'υ'), 'ώ', 'ω'),
		replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(`details`, 'Ά', 'α'), 'Έ', 'ε'), 'Ή', 'η'), 'Ί', 'ι'), 'Ό', 'ο'), 'Ύ', 'υ'), 'Ώ', 'ω'), 'ΐ', 'ι'), 'Ϊ', 'ι'), 'Ϋ', 'υ'), 'ά', 'α'), 'έ', 'ε'), 'ή', 'η'), 'ί', 'ι'), 'ΰ', 'υ'), 'ϊ', 'ι'), 'ϋ', 'υ'), 'ό', 'ο'), 'ύ', 'υ'), 'ώ', 'ω'),
		replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(`address`, 'Ά', 'α'), 'Έ', 'ε'), 'Ή', 'η'), 'Ί', 'ι'), 'Ό', 'ο'), 'Ύ', 'υ'), 'Ώ', 'ω'), 'ΐ', 'ι'), 'Ϊ', 'ι'), 'Ϋ', 'υ'), 'ά', 'α'), 'έ', 'ε'), 'ή', 'η'), 'ί', 'ι'), 'ΰ', 'υ'), 'ϊ', 'ι'), 'ϋ', 'υ'), 'ό', 'ο'), 'ύ', 'υ'), 'ώ', 'ω'),
		substr(`digits`, 1) || ' ' || substr(`digits`, 2) || ' ' || substr(`digits`, 3) || ' ' || substr(`digits`, 4) || ' ' || substr(`digits`, 5) || ' ' || substr(`digits`, 6) || ' ' || substr(`digits`, 7) || ' ' || substr(`digits`, 8) || ' ' || substr(`digits`, 9) || ' ' || substr(`digits`, 10) || ' ' || substr(`digits`, 11) || ' ' || substr(`digits`, 12) || ' ' || substr(`digits`, 13) || ' ' || substr(`digits`, 14) || ' ' || substr(`digits`, 15) || ' ' || substr(`digits`, 16) || ' ' || substr(`digits`, 17) || ' ' || substr(`digits`, 18)
	FROM (SELECT
		replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(NEW.`name`, 'ł', 'l'), 'Ł', 'l'), 'ø', 'o'), 'Ø', 'o'), 'đ', 'd'), 'Đ', 'd'), 'ð', 'd'), 'Ð', 'd'), 'þ', 'th'), 'Þ', 'th'), 'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'ı', 'i') AS `name`,
		replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(NEW.`email`, 'ł', 'l'), 'Ł', 'l'), 'ø', 'o'), 'Ø', 'o'), 'đ', 'd'), 'Đ', 'd'), 'ð', 'd'), 'Ð', 'd'), 'þ', 'th'), 'Þ', 'th'), 'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'ı', 'i') AS `email`,
		replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(NEW.`details`, 'ł', 'l'), 'Ł', 'l'), 'ø', 'o'), 'Ø', 'o'), 'đ', 'd'), 'Đ', 'd'), 'ð', 'd'), 'Ð', 'd'), 'þ', 'th'), 'Þ', 'th'), 'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'ı', 'i') AS `details`,
		replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(NEW.`address`, 'ł', 'l'), 'Ł', 'l'), 'ø', 'o'), 'Ø', 'o'), 'đ', 'd'), 'Đ', 'd'), 'ð', 'd'), 'Ð', 'd'), 'þ', 'th'), 'Þ', 'th'), 'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'ı', 'i') AS `address`,
		replace(replace(replace(replace(replace(replace(replace(NEW.`phone`, ' ', ''), '-', ''), '(', ''), ')', ''), '.', ''), '/', ''), '+', '') AS `digits`);
END;
--> statement-breakpoint
CREATE TRIGGER `order_words_added` AFTER INSERT ON `orders` BEGIN
	INSERT INTO `record_numbers` (`record_id`, `kind`) VALUES (NEW.`id`, 'orders');
	INSERT INTO `record_words` (`record_id`, `kind`, `address`, `phone`) VALUES (NEW.`id`, 'orders', NEW.`buyer_address`, NEW.`phone`);
END;
--> statement-breakpoint
CREATE TRIGGER `order_words_changed` AFTER UPDATE OF `buyer_address`, `phone` ON `orders` BEGIN
	DELETE FROM `records_fts` WHERE `rowid` = (SELECT `number` FROM `record_numbers` WHERE `record_id` = NEW.`id` AND `kind` = 'orders');
	INSERT INTO `record_words` (`record_id`, `kind`, `address`, `phone`) VALUES (NEW.`id`, 'orders', NEW.`buyer_address`, NEW.`phone`);
END;
--> statement-breakpoint
CREATE TRIGGER `saved_address_words_added` AFTER INSERT ON `saved_addresses` BEGIN
	INSERT INTO `record_numbers` (`record_id`, `kind`) VALUES (NEW.`id`, 'saved_addresses');
	INSERT INTO `record_words` (`record_id`, `kind`, `address`, `phone`) VALUES (NEW.`id`, 'saved_addresses', NEW.`address`, NEW.`phone`);
END;
--> statement-breakpoint
CREATE TRIGGER `saved_address_words_changed` AFTER UPDATE OF `address`, `phone` ON `saved_addresses` BEGIN
	DELETE FROM `records_fts` WHERE `rowid` = (SELECT `number` FROM `record_numbers` WHERE `record_id` = NEW.`id` AND `kind` = 'saved_addresses');
	INSERT INTO `record_words` (`record_id`, `kind`, `address`, `phone`) VALUES (NEW.`id`, 'saved_addresses', NEW.`address`, NEW.`phone`);
END;
--> statement-breakpoint
INSERT INTO `record_words` (`record_id`, `kind`, `name`, `email`) SELECT `id`, 'users', `name`, `email` FROM `users`;
--> statement-breakpoint
INSERT INTO `record_words` (`record_id`, `kind`, `name`, `email`, `details`) SELECT `id`, 'reports', `name`, `email`, `details` FROM `reports`;
--> statement-breakpoint
INSERT INTO `record_words` (`record_id`, `kind`, `details`) SELECT `id`, 'report_messages', `text` FROM `report_messages`;
--> statement-breakpoint
INSERT INTO `record_words` (`record_id`, `kind`, `details`) SELECT `id`, 'content_reports', `details` FROM `content_reports`;
--> statement-breakpoint
INSERT INTO `record_words` (`record_id`, `kind`, `address`, `phone`) SELECT `id`, 'orders', `buyer_address`, `phone` FROM `orders`;
--> statement-breakpoint
INSERT INTO `record_words` (`record_id`, `kind`, `address`, `phone`) SELECT `id`, 'saved_addresses', `address`, `phone` FROM `saved_addresses`;
