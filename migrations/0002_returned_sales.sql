-- A sale that is returned no longer counts on the day of its receipt.
DROP TRIGGER `order_day_changed`;
--> statement-breakpoint
CREATE TRIGGER `order_day_changed` AFTER UPDATE OF `status` ON `orders` WHEN OLD.`status` <> NEW.`status` BEGIN
	INSERT INTO `uncounted_days` (`day`) SELECT NEW.`created_at` / 86400000 UNION SELECT `created_at` / 86400000 FROM `order_steps` WHERE `order_id` = NEW.`id` AND `kind` = 'received' ON CONFLICT DO NOTHING;
END;
