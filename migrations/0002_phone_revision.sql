-- Whatever the public lists of phones show renews their mark.
CREATE TRIGGER `phones_added` AFTER INSERT ON `phones` BEGIN
	INSERT INTO `revisions` (`name`, `mark`) VALUES ('phones', lower(hex(randomblob(16)))) ON CONFLICT (`name`) DO UPDATE SET `mark` = excluded.`mark`;
END;
--> statement-breakpoint
CREATE TRIGGER `phones_changed` AFTER UPDATE ON `phones` BEGIN
	INSERT INTO `revisions` (`name`, `mark`) VALUES ('phones', lower(hex(randomblob(16)))) ON CONFLICT (`name`) DO UPDATE SET `mark` = excluded.`mark`;
END;
--> statement-breakpoint
CREATE TRIGGER `phones_deleted` AFTER DELETE ON `phones` BEGIN
	INSERT INTO `revisions` (`name`, `mark`) VALUES ('phones', lower(hex(randomblob(16)))) ON CONFLICT (`name`) DO UPDATE SET `mark` = excluded.`mark`;
END;
--> statement-breakpoint
CREATE TRIGGER `sellers_renamed` AFTER UPDATE OF `name` ON `users` BEGIN
	INSERT INTO `revisions` (`name`, `mark`) VALUES ('phones', lower(hex(randomblob(16)))) ON CONFLICT (`name`) DO UPDATE SET `mark` = excluded.`mark`;
END;
