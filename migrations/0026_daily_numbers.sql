CREATE TABLE `daily_demand` (
	`day` integer NOT NULL,
	`model` text NOT NULL,
	`bookings` integer NOT NULL,
	`saves` integer NOT NULL,
	PRIMARY KEY(`day`, `model`)
);
--> statement-breakpoint
CREATE TABLE `daily_numbers` (
	`day` integer PRIMARY KEY NOT NULL,
	`sign_ups` integer NOT NULL,
	`listings` integer NOT NULL,
	`bookings` integer NOT NULL,
	`cancelled` integer NOT NULL,
	`sales` integer NOT NULL,
	`sales_cents` integer NOT NULL,
	`days_to_sale` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `listing_views` (
	`phone_id` text PRIMARY KEY NOT NULL,
	`views` integer NOT NULL,
	FOREIGN KEY (`phone_id`) REFERENCES `phones`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `uncounted_days` (
	`day` integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
-- The days of the rows that change; `daily_numbers` and `daily_demand` are counted from these rows.
CREATE TRIGGER `account_day_added` AFTER INSERT ON `users` BEGIN
	INSERT INTO `uncounted_days` (`day`) VALUES (NEW.`created_at` / 86400000) ON CONFLICT DO NOTHING;
END;--> statement-breakpoint
CREATE TRIGGER `account_day_changed` AFTER UPDATE OF `removal_id` ON `users` WHEN (OLD.`removal_id` IS NULL) <> (NEW.`removal_id` IS NULL) BEGIN
	INSERT INTO `uncounted_days` (`day`) VALUES (NEW.`created_at` / 86400000) ON CONFLICT DO NOTHING;
END;--> statement-breakpoint
CREATE TRIGGER `account_day_deleted` AFTER DELETE ON `users` WHEN OLD.`removal_id` IS NULL BEGIN
	INSERT INTO `uncounted_days` (`day`) VALUES (OLD.`created_at` / 86400000) ON CONFLICT DO NOTHING;
END;--> statement-breakpoint
CREATE TRIGGER `listing_day_added` AFTER INSERT ON `phones` BEGIN
	INSERT INTO `uncounted_days` (`day`) VALUES (NEW.`created_at` / 86400000) ON CONFLICT DO NOTHING;
END;--> statement-breakpoint
CREATE TRIGGER `listing_day_changed` AFTER UPDATE OF `removal_id` ON `phones` WHEN (OLD.`removal_id` IS NULL) <> (NEW.`removal_id` IS NULL) BEGIN
	INSERT INTO `uncounted_days` (`day`) VALUES (NEW.`created_at` / 86400000) ON CONFLICT DO NOTHING;
END;--> statement-breakpoint
CREATE TRIGGER `saved_model_changed` AFTER UPDATE OF `brand_name`, `model` ON `phones` WHEN OLD.`brand_name` <> NEW.`brand_name` OR OLD.`model` <> NEW.`model` BEGIN
	INSERT INTO `uncounted_days` (`day`) SELECT `created_at` / 86400000 FROM `saved_listings` WHERE `phone_id` = NEW.`id` ON CONFLICT DO NOTHING;
END;--> statement-breakpoint
CREATE TRIGGER `listing_day_deleted` AFTER DELETE ON `phones` BEGIN
	INSERT INTO `uncounted_days` (`day`) SELECT OLD.`created_at` / 86400000 WHERE OLD.`removal_id` IS NULL UNION SELECT `created_at` / 86400000 FROM `saved_listings` WHERE `phone_id` = OLD.`id` ON CONFLICT DO NOTHING;
END;--> statement-breakpoint
CREATE TRIGGER `order_day_added` AFTER INSERT ON `bookings` BEGIN
	INSERT INTO `uncounted_days` (`day`) VALUES (NEW.`created_at` / 86400000) ON CONFLICT DO NOTHING;
END;--> statement-breakpoint
CREATE TRIGGER `order_day_changed` AFTER UPDATE OF `status` ON `bookings` WHEN OLD.`status` <> NEW.`status` BEGIN
	INSERT INTO `uncounted_days` (`day`) VALUES (NEW.`created_at` / 86400000) ON CONFLICT DO NOTHING;
END;--> statement-breakpoint
CREATE TRIGGER `sale_day_added` AFTER INSERT ON `order_steps` WHEN NEW.`kind` = 'received' BEGIN
	INSERT INTO `uncounted_days` (`day`) VALUES (NEW.`created_at` / 86400000) ON CONFLICT DO NOTHING;
END;--> statement-breakpoint
CREATE TRIGGER `saved_day_added` AFTER INSERT ON `saved_listings` BEGIN
	INSERT INTO `uncounted_days` (`day`) VALUES (NEW.`created_at` / 86400000) ON CONFLICT DO NOTHING;
END;--> statement-breakpoint
CREATE TRIGGER `saved_day_deleted` AFTER DELETE ON `saved_listings` BEGIN
	INSERT INTO `uncounted_days` (`day`) VALUES (OLD.`created_at` / 86400000) ON CONFLICT DO NOTHING;
END;--> statement-breakpoint
-- All days since the first account, which the job counts in portions.
INSERT INTO `uncounted_days` (`day`)
WITH RECURSIVE `days` (`day`) AS (
	SELECT * FROM (SELECT `created_at` / 86400000 FROM `users` ORDER BY `id` LIMIT 1)
	UNION ALL
	SELECT `day` + 1 FROM `days` WHERE `day` < unixepoch() / 86400
)
SELECT `day` FROM `days`;
