-- Phones are counted by whose seller is verified, too, which the public lists do not show: it has a mark of its own.
CREATE TRIGGER `sellers_verified` AFTER UPDATE OF `verified` ON `users` WHEN OLD.`verified` IS NOT NEW.`verified` BEGIN
	INSERT INTO `revisions` (`name`, `mark`) VALUES ('sellers', lower(hex(randomblob(16)))) ON CONFLICT (`name`) DO UPDATE SET `mark` = excluded.`mark`;
END;
