DROP INDEX `phones_model`;--> statement-breakpoint
CREATE INDEX `phones_variant` ON `phones` (`variant_id`,`id`);--> statement-breakpoint
DROP TRIGGER `user_words_added`;
--> statement-breakpoint
DROP TRIGGER `user_words_changed`;
--> statement-breakpoint
DROP TRIGGER `user_words_deleted`;
--> statement-breakpoint
DROP TRIGGER `report_words_added`;
--> statement-breakpoint
DROP TRIGGER `report_words_changed`;
--> statement-breakpoint
DROP TRIGGER `report_words_deleted`;
--> statement-breakpoint
DROP TRIGGER `report_message_words_added`;
--> statement-breakpoint
DROP TRIGGER `report_message_words_changed`;
--> statement-breakpoint
DROP TRIGGER `report_message_words_deleted`;
--> statement-breakpoint
DROP TRIGGER `content_report_words_added`;
--> statement-breakpoint
DROP TRIGGER `content_report_words_changed`;
--> statement-breakpoint
DROP TRIGGER `content_report_words_deleted`;
--> statement-breakpoint
DROP TRIGGER `order_words_added`;
--> statement-breakpoint
DROP TRIGGER `order_words_changed`;
--> statement-breakpoint
DROP TRIGGER `order_words_deleted`;
--> statement-breakpoint
DROP TRIGGER `saved_address_words_added`;
--> statement-breakpoint
DROP TRIGGER `saved_address_words_changed`;
--> statement-breakpoint
DROP TRIGGER `saved_address_words_deleted`;
--> statement-breakpoint
DROP TABLE `records_fts`;
--> statement-breakpoint
-- Words of people and of what they wrote, folded as `foldText` does. It stores no texts, only their index.
CREATE VIRTUAL TABLE `records_fts` USING fts5(`name`, `email`, `details`, content='', contentless_delete=1, prefix='1 2 3', tokenize='unicode61 remove_diacritics 2');
--> statement-breakpoint
-- What is inserted here is indexed under the number of its record.
CREATE VIEW `record_words` AS SELECT '' AS `record_id`, '' AS `kind`, '' AS `name`, '' AS `email`, '' AS `details`;
--> statement-breakpoint
-- `unicode61` folds letter case and the accents of Latin letters. The others are in app/db/fold-text.ts.
CREATE TRIGGER `record_words_folded` INSTEAD OF INSERT ON `record_words` BEGIN
	INSERT INTO `records_fts` (`rowid`, `name`, `email`, `details`) SELECT
		(SELECT `number` FROM `record_numbers` WHERE `record_id` = NEW.`record_id` AND `kind` = NEW.`kind`),
		replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(`name`, 'Ά', 'α'), 'Έ', 'ε'), 'Ή', 'η'), 'Ί', 'ι'), 'Ό', 'ο'), 'Ύ', 'υ'), 'Ώ', 'ω'), 'ΐ', 'ι'), 'Ϊ', 'ι'), 'Ϋ', 'υ'), 'ά', 'α'), 'έ', 'ε'), 'ή', 'η'), 'ί', 'ι'), 'ΰ', 'υ'), 'ϊ', 'ι'), 'ϋ', 'υ'), 'ό', 'ο'), 'ύ', 'υ'), 'ώ', 'ω'),
		replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(`email`, 'Ά', 'α'), 'Έ', 'ε'), 'Ή', 'η'), 'Ί', 'ι'), 'Ό', 'ο'), 'Ύ', 'υ'), 'Ώ', 'ω'), 'ΐ', 'ι'), 'Ϊ', 'ι'), 'Ϋ', 'υ'), 'ά', 'α'), 'έ', 'ε'), 'ή', 'η'), 'ί', 'ι'), 'ΰ', 'υ'), 'ϊ', 'ι'), 'ϋ', 'υ'), 'ό', 'ο'), 'ύ', 'υ'), 'ώ', 'ω'),
		replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(`details`, 'Ά', 'α'), 'Έ', 'ε'), 'Ή', 'η'), 'Ί', 'ι'), 'Ό', 'ο'), 'Ύ', 'υ'), 'Ώ', 'ω'), 'ΐ', 'ι'), 'Ϊ', 'ι'), 'Ϋ', 'υ'), 'ά', 'α'), 'έ', 'ε'), 'ή', 'η'), 'ί', 'ι'), 'ΰ', 'υ'), 'ϊ', 'ι'), 'ϋ', 'υ'), 'ό', 'ο'), 'ύ', 'υ'), 'ώ', 'ω')
	FROM (SELECT
		replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(NEW.`name`, 'ł', 'l'), 'Ł', 'l'), 'ø', 'o'), 'Ø', 'o'), 'đ', 'd'), 'Đ', 'd'), 'ð', 'd'), 'Ð', 'd'), 'þ', 'th'), 'Þ', 'th'), 'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'ı', 'i') AS `name`,
		replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(NEW.`email`, 'ł', 'l'), 'Ł', 'l'), 'ø', 'o'), 'Ø', 'o'), 'đ', 'd'), 'Đ', 'd'), 'ð', 'd'), 'Ð', 'd'), 'þ', 'th'), 'Þ', 'th'), 'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'ı', 'i') AS `email`,
		replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(NEW.`details`, 'ł', 'l'), 'Ł', 'l'), 'ø', 'o'), 'Ø', 'o'), 'đ', 'd'), 'Đ', 'd'), 'ð', 'd'), 'Ð', 'd'), 'þ', 'th'), 'Þ', 'th'), 'ß', 'ss'), 'ẞ', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'ı', 'i') AS `details`);
END;
--> statement-breakpoint
CREATE TRIGGER `user_words_added` AFTER INSERT ON `users` BEGIN
	INSERT INTO `record_numbers` (`record_id`, `kind`) VALUES (NEW.`id`, 'users');
	INSERT INTO `record_words` (`record_id`, `kind`, `name`, `email`) VALUES (NEW.`id`, 'users', NEW.`name`, NEW.`email`);
END;
--> statement-breakpoint
CREATE TRIGGER `user_words_changed` AFTER UPDATE OF `name`, `email` ON `users` BEGIN
	DELETE FROM `records_fts` WHERE `rowid` = (SELECT `number` FROM `record_numbers` WHERE `record_id` = NEW.`id` AND `kind` = 'users');
	INSERT INTO `record_words` (`record_id`, `kind`, `name`, `email`) VALUES (NEW.`id`, 'users', NEW.`name`, NEW.`email`);
END;
--> statement-breakpoint
CREATE TRIGGER `user_words_deleted` AFTER DELETE ON `users` BEGIN
	DELETE FROM `records_fts` WHERE `rowid` = (SELECT `number` FROM `record_numbers` WHERE `record_id` = OLD.`id` AND `kind` = 'users');
	DELETE FROM `record_numbers` WHERE `record_id` = OLD.`id` AND `kind` = 'users';
END;
--> statement-breakpoint
CREATE TRIGGER `report_words_added` AFTER INSERT ON `reports` BEGIN
	INSERT INTO `record_numbers` (`record_id`, `kind`) VALUES (NEW.`id`, 'reports');
	INSERT INTO `record_words` (`record_id`, `kind`, `name`, `email`, `details`) VALUES (NEW.`id`, 'reports', NEW.`name`, NEW.`email`, NEW.`details`);
END;
--> statement-breakpoint
CREATE TRIGGER `report_words_changed` AFTER UPDATE OF `name`, `email`, `details` ON `reports` BEGIN
	DELETE FROM `records_fts` WHERE `rowid` = (SELECT `number` FROM `record_numbers` WHERE `record_id` = NEW.`id` AND `kind` = 'reports');
	INSERT INTO `record_words` (`record_id`, `kind`, `name`, `email`, `details`) VALUES (NEW.`id`, 'reports', NEW.`name`, NEW.`email`, NEW.`details`);
END;
--> statement-breakpoint
CREATE TRIGGER `report_words_deleted` AFTER DELETE ON `reports` BEGIN
	DELETE FROM `records_fts` WHERE `rowid` = (SELECT `number` FROM `record_numbers` WHERE `record_id` = OLD.`id` AND `kind` = 'reports');
	DELETE FROM `record_numbers` WHERE `record_id` = OLD.`id` AND `kind` = 'reports';
END;
--> statement-breakpoint
CREATE TRIGGER `report_message_words_added` AFTER INSERT ON `report_messages` BEGIN
	INSERT INTO `record_numbers` (`record_id`, `kind`) VALUES (NEW.`id`, 'report_messages');
	INSERT INTO `record_words` (`record_id`, `kind`, `details`) VALUES (NEW.`id`, 'report_messages', NEW.`text`);
END;
--> statement-breakpoint
CREATE TRIGGER `report_message_words_changed` AFTER UPDATE OF `text` ON `report_messages` BEGIN
	DELETE FROM `records_fts` WHERE `rowid` = (SELECT `number` FROM `record_numbers` WHERE `record_id` = NEW.`id` AND `kind` = 'report_messages');
	INSERT INTO `record_words` (`record_id`, `kind`, `details`) VALUES (NEW.`id`, 'report_messages', NEW.`text`);
END;
--> statement-breakpoint
CREATE TRIGGER `report_message_words_deleted` AFTER DELETE ON `report_messages` BEGIN
	DELETE FROM `records_fts` WHERE `rowid` = (SELECT `number` FROM `record_numbers` WHERE `record_id` = OLD.`id` AND `kind` = 'report_messages');
	DELETE FROM `record_numbers` WHERE `record_id` = OLD.`id` AND `kind` = 'report_messages';
END;
--> statement-breakpoint
CREATE TRIGGER `content_report_words_added` AFTER INSERT ON `content_reports` BEGIN
	INSERT INTO `record_numbers` (`record_id`, `kind`) VALUES (NEW.`id`, 'content_reports');
	INSERT INTO `record_words` (`record_id`, `kind`, `details`) VALUES (NEW.`id`, 'content_reports', NEW.`details`);
END;
--> statement-breakpoint
CREATE TRIGGER `content_report_words_changed` AFTER UPDATE OF `details` ON `content_reports` BEGIN
	DELETE FROM `records_fts` WHERE `rowid` = (SELECT `number` FROM `record_numbers` WHERE `record_id` = NEW.`id` AND `kind` = 'content_reports');
	INSERT INTO `record_words` (`record_id`, `kind`, `details`) VALUES (NEW.`id`, 'content_reports', NEW.`details`);
END;
--> statement-breakpoint
CREATE TRIGGER `content_report_words_deleted` AFTER DELETE ON `content_reports` BEGIN
	DELETE FROM `records_fts` WHERE `rowid` = (SELECT `number` FROM `record_numbers` WHERE `record_id` = OLD.`id` AND `kind` = 'content_reports');
	DELETE FROM `record_numbers` WHERE `record_id` = OLD.`id` AND `kind` = 'content_reports';
END;
--> statement-breakpoint
CREATE TRIGGER `order_words_added` AFTER INSERT ON `orders` BEGIN
	INSERT INTO `record_numbers` (`record_id`, `kind`) VALUES (NEW.`id`, 'orders');
	INSERT INTO `record_words` (`record_id`, `kind`, `details`) VALUES (NEW.`id`, 'orders', NEW.`buyer_address` || ' ' || NEW.`phone`);
END;
--> statement-breakpoint
CREATE TRIGGER `order_words_changed` AFTER UPDATE OF `buyer_address`, `phone` ON `orders` BEGIN
	DELETE FROM `records_fts` WHERE `rowid` = (SELECT `number` FROM `record_numbers` WHERE `record_id` = NEW.`id` AND `kind` = 'orders');
	INSERT INTO `record_words` (`record_id`, `kind`, `details`) VALUES (NEW.`id`, 'orders', NEW.`buyer_address` || ' ' || NEW.`phone`);
END;
--> statement-breakpoint
CREATE TRIGGER `order_words_deleted` AFTER DELETE ON `orders` BEGIN
	DELETE FROM `records_fts` WHERE `rowid` = (SELECT `number` FROM `record_numbers` WHERE `record_id` = OLD.`id` AND `kind` = 'orders');
	DELETE FROM `record_numbers` WHERE `record_id` = OLD.`id` AND `kind` = 'orders';
END;
--> statement-breakpoint
CREATE TRIGGER `saved_address_words_added` AFTER INSERT ON `saved_addresses` BEGIN
	INSERT INTO `record_numbers` (`record_id`, `kind`) VALUES (NEW.`id`, 'saved_addresses');
	INSERT INTO `record_words` (`record_id`, `kind`, `details`) VALUES (NEW.`id`, 'saved_addresses', NEW.`address` || ' ' || NEW.`phone`);
END;
--> statement-breakpoint
CREATE TRIGGER `saved_address_words_changed` AFTER UPDATE OF `address`, `phone` ON `saved_addresses` BEGIN
	DELETE FROM `records_fts` WHERE `rowid` = (SELECT `number` FROM `record_numbers` WHERE `record_id` = NEW.`id` AND `kind` = 'saved_addresses');
	INSERT INTO `record_words` (`record_id`, `kind`, `details`) VALUES (NEW.`id`, 'saved_addresses', NEW.`address` || ' ' || NEW.`phone`);
END;
--> statement-breakpoint
CREATE TRIGGER `saved_address_words_deleted` AFTER DELETE ON `saved_addresses` BEGIN
	DELETE FROM `records_fts` WHERE `rowid` = (SELECT `number` FROM `record_numbers` WHERE `record_id` = OLD.`id` AND `kind` = 'saved_addresses');
	DELETE FROM `record_numbers` WHERE `record_id` = OLD.`id` AND `kind` = 'saved_addresses';
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
INSERT INTO `record_words` (`record_id`, `kind`, `details`) SELECT `id`, 'orders', `buyer_address` || ' ' || `phone` FROM `orders`;
--> statement-breakpoint
INSERT INTO `record_words` (`record_id`, `kind`, `details`) SELECT `id`, 'saved_addresses', `address` || ' ' || `phone` FROM `saved_addresses`;
--> statement-breakpoint
-- Variants with Greek names, as `foldedWords` has them from now on.
UPDATE `device_variants` SET `search_text` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(`search_text`, 'ά', 'α'), 'έ', 'ε'), 'ή', 'η'), 'ί', 'ι'), 'ΰ', 'υ'), 'ϊ', 'ι'), 'ϋ', 'υ'), 'ό', 'ο'), 'ύ', 'υ'), 'ώ', 'ω'), `model_slug` = replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(`model_slug`, 'ά', 'α'), 'έ', 'ε'), 'ή', 'η'), 'ί', 'ι'), 'ΰ', 'υ'), 'ϊ', 'ι'), 'ϋ', 'υ'), 'ό', 'ο'), 'ύ', 'υ'), 'ώ', 'ω') WHERE `search_text` GLOB '*[άέήίΰϊϋόύώ]*';
--> statement-breakpoint
INSERT INTO `device_variants_fts` (`device_variants_fts`) VALUES ('rebuild');
