CREATE TABLE `usual_prices` (
	`device` text NOT NULL,
	`rom` text NOT NULL,
	`changes` integer NOT NULL,
	`sales` integer DEFAULT 0 NOT NULL,
	`median_cents` integer,
	`lowest_cents` integer,
	`highest_cents` integer,
	PRIMARY KEY(`device`, `rom`)
);
--> statement-breakpoint
CREATE INDEX `usual_prices_changed` ON `usual_prices` (`changes`) WHERE "usual_prices"."changes" > 0;
--> statement-breakpoint
-- Changes of sales, after which a scheduled job computes the usual price again.
CREATE TRIGGER `sale_added` AFTER INSERT ON `orders` WHEN NEW.`stage` = 'received' BEGIN
	INSERT INTO `usual_prices` (`device`, `rom`, `changes`) VALUES (lower(NEW.`product_name`), replace(lower(NEW.`rom`), ' ', ''), 1) ON CONFLICT (`device`, `rom`) DO UPDATE SET `changes` = `changes` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `sale_changed` AFTER UPDATE OF `stage` ON `orders` WHEN (OLD.`stage` = 'received') <> (NEW.`stage` = 'received') BEGIN
	INSERT INTO `usual_prices` (`device`, `rom`, `changes`) VALUES (lower(NEW.`product_name`), replace(lower(NEW.`rom`), ' ', ''), 1) ON CONFLICT (`device`, `rom`) DO UPDATE SET `changes` = `changes` + 1;
END;
--> statement-breakpoint
-- Sales count while both sides have confirmed their address and are not suspended.
CREATE TRIGGER `side_of_sales_changed` AFTER UPDATE OF `email_verified_at`, `suspension_id` ON `users` WHEN (OLD.`email_verified_at` IS NOT NULL AND OLD.`suspension_id` IS NULL) <> (NEW.`email_verified_at` IS NOT NULL AND NEW.`suspension_id` IS NULL) BEGIN
	INSERT INTO `usual_prices` (`device`, `rom`, `changes`)
		SELECT lower(`product_name`), replace(lower(`rom`), ' ', ''), 1 FROM `orders` WHERE `stage` = 'received' AND `buyer_id` = NEW.`id`
		UNION SELECT lower(`product_name`), replace(lower(`orders`.`rom`), ' ', ''), 1 FROM `phones` INNER JOIN `orders` ON `orders`.`phone_id` = `phones`.`id` WHERE `stage` = 'received' AND `seller_id` = NEW.`id`
		ON CONFLICT (`device`, `rom`) DO UPDATE SET `changes` = `changes` + 1;
END;
--> statement-breakpoint
INSERT INTO `usual_prices` (`device`, `rom`, `changes`) SELECT DISTINCT lower(`product_name`), replace(lower(`rom`), ' ', ''), 1 FROM `orders` WHERE `stage` = 'received';
