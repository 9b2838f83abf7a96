-- Whose sellers are verified is one of the things that phones are counted by, so it renews the mark as well.
CREATE TRIGGER `sellers_verified` AFTER UPDATE OF `verified` ON `users` WHEN OLD.`verified` IS NOT NEW.`verified` BEGIN
	INSERT INTO `revisions` (`name`, `mark`) VALUES ('phones', lower(hex(randomblob(16)))) ON CONFLICT (`name`) DO UPDATE SET `mark` = excluded.`mark`;
END;
