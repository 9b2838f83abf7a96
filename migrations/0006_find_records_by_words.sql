CREATE TABLE `record_numbers` (
	`number` integer PRIMARY KEY NOT NULL,
	`record_id` text NOT NULL,
	`kind` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `record_numbers_record` ON `record_numbers` (`record_id`,`kind`);
--> statement-breakpoint
-- Words of people and of what they wrote, without letter case and accents. It stores no texts, only their index.
CREATE VIRTUAL TABLE `records_fts` USING fts5(`name`, `email`, `details`, content='', contentless_delete=1, prefix='1 2 3', tokenize='unicode61 remove_diacritics 2');
--> statement-breakpoint
INSERT INTO `record_numbers` (`record_id`, `kind`) SELECT `id`, 'users' FROM `users`;
--> statement-breakpoint
INSERT INTO `records_fts` (`rowid`, `name`, `email`) SELECT `number`, `t`.`name`, `t`.`email` FROM `users` AS `t` JOIN `record_numbers` ON `record_id` = `t`.`id` AND `record_numbers`.`kind` = 'users';
--> statement-breakpoint
CREATE TRIGGER `user_words_added` AFTER INSERT ON `users` BEGIN
	INSERT INTO `record_numbers` (`record_id`, `kind`) VALUES (NEW.`id`, 'users');
	INSERT INTO `records_fts` (`rowid`, `name`, `email`) VALUES ((SELECT `number` FROM `record_numbers` WHERE `record_id` = NEW.`id` AND `kind` = 'users'), NEW.`name`, NEW.`email`);
END;
--> statement-breakpoint
CREATE TRIGGER `user_words_changed` AFTER UPDATE OF `name`, `email` ON `users` BEGIN
	DELETE FROM `records_fts` WHERE `rowid` = (SELECT `number` FROM `record_numbers` WHERE `record_id` = NEW.`id` AND `kind` = 'users');
	INSERT INTO `records_fts` (`rowid`, `name`, `email`) VALUES ((SELECT `number` FROM `record_numbers` WHERE `record_id` = NEW.`id` AND `kind` = 'users'), NEW.`name`, NEW.`email`);
END;
--> statement-breakpoint
CREATE TRIGGER `user_words_deleted` AFTER DELETE ON `users` BEGIN
	DELETE FROM `records_fts` WHERE `rowid` = (SELECT `number` FROM `record_numbers` WHERE `record_id` = OLD.`id` AND `kind` = 'users');
	DELETE FROM `record_numbers` WHERE `record_id` = OLD.`id` AND `record_numbers`.`kind` = 'users';
END;
--> statement-breakpoint
INSERT INTO `record_numbers` (`record_id`, `kind`) SELECT `id`, 'reports' FROM `reports`;
--> statement-breakpoint
INSERT INTO `records_fts` (`rowid`, `name`, `email`, `details`) SELECT `number`, `t`.`name`, `t`.`email`, `t`.`details` FROM `reports` AS `t` JOIN `record_numbers` ON `record_id` = `t`.`id` AND `record_numbers`.`kind` = 'reports';
--> statement-breakpoint
CREATE TRIGGER `report_words_added` AFTER INSERT ON `reports` BEGIN
	INSERT INTO `record_numbers` (`record_id`, `kind`) VALUES (NEW.`id`, 'reports');
	INSERT INTO `records_fts` (`rowid`, `name`, `email`, `details`) VALUES ((SELECT `number` FROM `record_numbers` WHERE `record_id` = NEW.`id` AND `kind` = 'reports'), NEW.`name`, NEW.`email`, NEW.`details`);
END;
--> statement-breakpoint
CREATE TRIGGER `report_words_changed` AFTER UPDATE OF `name`, `email`, `details` ON `reports` BEGIN
	DELETE FROM `records_fts` WHERE `rowid` = (SELECT `number` FROM `record_numbers` WHERE `record_id` = NEW.`id` AND `kind` = 'reports');
	INSERT INTO `records_fts` (`rowid`, `name`, `email`, `details`) VALUES ((SELECT `number` FROM `record_numbers` WHERE `record_id` = NEW.`id` AND `kind` = 'reports'), NEW.`name`, NEW.`email`, NEW.`details`);
END;
--> statement-breakpoint
CREATE TRIGGER `report_words_deleted` AFTER DELETE ON `reports` BEGIN
	DELETE FROM `records_fts` WHERE `rowid` = (SELECT `number` FROM `record_numbers` WHERE `record_id` = OLD.`id` AND `kind` = 'reports');
	DELETE FROM `record_numbers` WHERE `record_id` = OLD.`id` AND `record_numbers`.`kind` = 'reports';
END;
--> statement-breakpoint
INSERT INTO `record_numbers` (`record_id`, `kind`) SELECT `id`, 'report_messages' FROM `report_messages`;
--> statement-breakpoint
INSERT INTO `records_fts` (`rowid`, `details`) SELECT `number`, `t`.`text` FROM `report_messages` AS `t` JOIN `record_numbers` ON `record_id` = `t`.`id` AND `record_numbers`.`kind` = 'report_messages';
--> statement-breakpoint
CREATE TRIGGER `report_message_words_added` AFTER INSERT ON `report_messages` BEGIN
	INSERT INTO `record_numbers` (`record_id`, `kind`) VALUES (NEW.`id`, 'report_messages');
	INSERT INTO `records_fts` (`rowid`, `details`) VALUES ((SELECT `number` FROM `record_numbers` WHERE `record_id` = NEW.`id` AND `kind` = 'report_messages'), NEW.`text`);
END;
--> statement-breakpoint
CREATE TRIGGER `report_message_words_changed` AFTER UPDATE OF `text` ON `report_messages` BEGIN
	DELETE FROM `records_fts` WHERE `rowid` = (SELECT `number` FROM `record_numbers` WHERE `record_id` = NEW.`id` AND `kind` = 'report_messages');
	INSERT INTO `records_fts` (`rowid`, `details`) VALUES ((SELECT `number` FROM `record_numbers` WHERE `record_id` = NEW.`id` AND `kind` = 'report_messages'), NEW.`text`);
END;
--> statement-breakpoint
CREATE TRIGGER `report_message_words_deleted` AFTER DELETE ON `report_messages` BEGIN
	DELETE FROM `records_fts` WHERE `rowid` = (SELECT `number` FROM `record_numbers` WHERE `record_id` = OLD.`id` AND `kind` = 'report_messages');
	DELETE FROM `record_numbers` WHERE `record_id` = OLD.`id` AND `record_numbers`.`kind` = 'report_messages';
END;
--> statement-breakpoint
INSERT INTO `record_numbers` (`record_id`, `kind`) SELECT `id`, 'content_reports' FROM `content_reports`;
--> statement-breakpoint
INSERT INTO `records_fts` (`rowid`, `details`) SELECT `number`, `t`.`details` FROM `content_reports` AS `t` JOIN `record_numbers` ON `record_id` = `t`.`id` AND `record_numbers`.`kind` = 'content_reports';
--> statement-breakpoint
CREATE TRIGGER `content_report_words_added` AFTER INSERT ON `content_reports` BEGIN
	INSERT INTO `record_numbers` (`record_id`, `kind`) VALUES (NEW.`id`, 'content_reports');
	INSERT INTO `records_fts` (`rowid`, `details`) VALUES ((SELECT `number` FROM `record_numbers` WHERE `record_id` = NEW.`id` AND `kind` = 'content_reports'), NEW.`details`);
END;
--> statement-breakpoint
CREATE TRIGGER `content_report_words_changed` AFTER UPDATE OF `details` ON `content_reports` BEGIN
	DELETE FROM `records_fts` WHERE `rowid` = (SELECT `number` FROM `record_numbers` WHERE `record_id` = NEW.`id` AND `kind` = 'content_reports');
	INSERT INTO `records_fts` (`rowid`, `details`) VALUES ((SELECT `number` FROM `record_numbers` WHERE `record_id` = NEW.`id` AND `kind` = 'content_reports'), NEW.`details`);
END;
--> statement-breakpoint
CREATE TRIGGER `content_report_words_deleted` AFTER DELETE ON `content_reports` BEGIN
	DELETE FROM `records_fts` WHERE `rowid` = (SELECT `number` FROM `record_numbers` WHERE `record_id` = OLD.`id` AND `kind` = 'content_reports');
	DELETE FROM `record_numbers` WHERE `record_id` = OLD.`id` AND `record_numbers`.`kind` = 'content_reports';
END;
