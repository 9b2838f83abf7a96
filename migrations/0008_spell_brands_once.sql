CREATE TABLE `brands` (
	`key` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `brands_name` ON `brands` (`name`);
--> statement-breakpoint
-- Each brand has the spelling that was listed first.
INSERT INTO `brands` (`key`, `name`) SELECT lower(`brand`), `brand` FROM (SELECT `brand`, min(`id`) FROM `device_variants` GROUP BY lower(`brand`));
--> statement-breakpoint
INSERT INTO `device_variants` (`category`, `brand`, `model`, `processor`, `rom`, `ram`, `model_slug`, `search_text`) SELECT `category`, `name`, `model`, `processor`, `rom`, `ram`, `model_slug`, `search_text` FROM `device_variants` JOIN `brands` ON `key` = lower(`brand`) WHERE `brand` <> `name` ON CONFLICT DO NOTHING;
--> statement-breakpoint
UPDATE `unmatched_listings` SET `old_variant_id` = (SELECT `spelled`.`id` FROM `device_variants` AS `old` JOIN `brands` ON `key` = lower(`old`.`brand`) JOIN `device_variants` AS `spelled` ON (`spelled`.`category`, `spelled`.`brand`, `spelled`.`model`, `spelled`.`processor`, `spelled`.`rom`, `spelled`.`ram`) = (`old`.`category`, `name`, `old`.`model`, `old`.`processor`, `old`.`rom`, `old`.`ram`) WHERE `old`.`id` = `old_variant_id`) WHERE `old_variant_id` IS NOT NULL;
--> statement-breakpoint
UPDATE `phones` SET `brand_name` = (SELECT `name` FROM `brands` WHERE `key` = lower(`brand_name`)) WHERE NOT EXISTS (SELECT 1 FROM `brands` WHERE `name` = `brand_name`);
--> statement-breakpoint
DELETE FROM `device_variants` WHERE NOT EXISTS (SELECT 1 FROM `brands` WHERE `name` = `brand`);
--> statement-breakpoint
-- Saved searches compare properties in lower case.
UPDATE `saved_searches` SET `clauses` = lower(`clauses`);
--> statement-breakpoint
UPDATE OR REPLACE `saved_search_keys` SET `key` = lower(`key`);
--> statement-breakpoint
-- Usual prices are of a model and a size: "256GB" and "256 GB" are one. A scheduled job computes them again.
DELETE FROM `usual_prices`;
--> statement-breakpoint
DROP TRIGGER `sale_added`;
--> statement-breakpoint
DROP TRIGGER `sale_changed`;
--> statement-breakpoint
DROP TRIGGER `side_of_sales_changed`;
--> statement-breakpoint
CREATE TRIGGER `sale_added` AFTER INSERT ON `orders` WHEN NEW.`stage` = 'received' BEGIN
	INSERT INTO `usual_prices` (`device`, `rom`, `changes`) VALUES (lower(NEW.`product_name`), cast(iif(NEW.`rom` glob '[0-9]*', cast(replace(NEW.`rom`, ',', '.') as real) * iif(lower(substr(ltrim(NEW.`rom`, '0123456789., ' || char(160)), 1, 1)) = 't', 1048576, iif(lower(substr(ltrim(NEW.`rom`, '0123456789., ' || char(160)), 1, 1)) = 'm', 1, 1024)), NEW.`rom`) as text), 1) ON CONFLICT (`device`, `rom`) DO UPDATE SET `changes` = `changes` + 1;
END;
--> statement-breakpoint
CREATE TRIGGER `sale_changed` AFTER UPDATE OF `stage` ON `orders` WHEN (OLD.`stage` = 'received') <> (NEW.`stage` = 'received') BEGIN
	INSERT INTO `usual_prices` (`device`, `rom`, `changes`) VALUES (lower(NEW.`product_name`), cast(iif(NEW.`rom` glob '[0-9]*', cast(replace(NEW.`rom`, ',', '.') as real) * iif(lower(substr(ltrim(NEW.`rom`, '0123456789., ' || char(160)), 1, 1)) = 't', 1048576, iif(lower(substr(ltrim(NEW.`rom`, '0123456789., ' || char(160)), 1, 1)) = 'm', 1, 1024)), NEW.`rom`) as text), 1) ON CONFLICT (`device`, `rom`) DO UPDATE SET `changes` = `changes` + 1;
END;
--> statement-breakpoint
-- Sales count while both sides have confirmed their address and are not suspended.
CREATE TRIGGER `side_of_sales_changed` AFTER UPDATE OF `email_verified_at`, `suspension_id` ON `users` WHEN (OLD.`email_verified_at` IS NOT NULL AND OLD.`suspension_id` IS NULL) <> (NEW.`email_verified_at` IS NOT NULL AND NEW.`suspension_id` IS NULL) BEGIN
	INSERT INTO `usual_prices` (`device`, `rom`, `changes`)
		SELECT lower(`product_name`), cast(iif(`rom` glob '[0-9]*', cast(replace(`rom`, ',', '.') as real) * iif(lower(substr(ltrim(`rom`, '0123456789., ' || char(160)), 1, 1)) = 't', 1048576, iif(lower(substr(ltrim(`rom`, '0123456789., ' || char(160)), 1, 1)) = 'm', 1, 1024)), `rom`) as text), 1 FROM `orders` WHERE `stage` = 'received' AND `buyer_id` = NEW.`id`
		UNION SELECT lower(`product_name`), cast(iif(`orders`.`rom` glob '[0-9]*', cast(replace(`orders`.`rom`, ',', '.') as real) * iif(lower(substr(ltrim(`orders`.`rom`, '0123456789., ' || char(160)), 1, 1)) = 't', 1048576, iif(lower(substr(ltrim(`orders`.`rom`, '0123456789., ' || char(160)), 1, 1)) = 'm', 1, 1024)), `orders`.`rom`) as text), 1 FROM `phones` INNER JOIN `orders` ON `orders`.`phone_id` = `phones`.`id` WHERE `stage` = 'received' AND `seller_id` = NEW.`id`
		ON CONFLICT (`device`, `rom`) DO UPDATE SET `changes` = `changes` + 1;
END;
--> statement-breakpoint
INSERT INTO `usual_prices` (`device`, `rom`, `changes`) SELECT DISTINCT lower(`product_name`), cast(iif(`rom` glob '[0-9]*', cast(replace(`rom`, ',', '.') as real) * iif(lower(substr(ltrim(`rom`, '0123456789., ' || char(160)), 1, 1)) = 't', 1048576, iif(lower(substr(ltrim(`rom`, '0123456789., ' || char(160)), 1, 1)) = 'm', 1, 1024)), `rom`) as text), 1 FROM `orders` WHERE `stage` = 'received';
--> statement-breakpoint
-- Words of addresses, by which administrators find whose they are.
INSERT INTO `record_numbers` (`record_id`, `kind`) SELECT `id`, 'orders' FROM `orders`;
--> statement-breakpoint
INSERT INTO `records_fts` (`rowid`, `details`) SELECT `number`, `t`.`buyer_address` || ' ' || `t`.`phone` FROM `orders` AS `t` JOIN `record_numbers` ON `record_id` = `t`.`id` AND `record_numbers`.`kind` = 'orders';
--> statement-breakpoint
CREATE TRIGGER `order_words_added` AFTER INSERT ON `orders` BEGIN
	INSERT INTO `record_numbers` (`record_id`, `kind`) VALUES (NEW.`id`, 'orders');
	INSERT INTO `records_fts` (`rowid`, `details`) VALUES ((SELECT `number` FROM `record_numbers` WHERE `record_id` = NEW.`id` AND `record_numbers`.`kind` = 'orders'), NEW.`buyer_address` || ' ' || NEW.`phone`);
END;
--> statement-breakpoint
CREATE TRIGGER `order_words_changed` AFTER UPDATE OF `buyer_address`, `phone` ON `orders` BEGIN
	DELETE FROM `records_fts` WHERE `rowid` = (SELECT `number` FROM `record_numbers` WHERE `record_id` = NEW.`id` AND `record_numbers`.`kind` = 'orders');
	INSERT INTO `records_fts` (`rowid`, `details`) VALUES ((SELECT `number` FROM `record_numbers` WHERE `record_id` = NEW.`id` AND `record_numbers`.`kind` = 'orders'), NEW.`buyer_address` || ' ' || NEW.`phone`);
END;
--> statement-breakpoint
CREATE TRIGGER `order_words_deleted` AFTER DELETE ON `orders` BEGIN
	DELETE FROM `records_fts` WHERE `rowid` = (SELECT `number` FROM `record_numbers` WHERE `record_id` = OLD.`id` AND `record_numbers`.`kind` = 'orders');
	DELETE FROM `record_numbers` WHERE `record_id` = OLD.`id` AND `record_numbers`.`kind` = 'orders';
END;
--> statement-breakpoint
INSERT INTO `record_numbers` (`record_id`, `kind`) SELECT `id`, 'saved_addresses' FROM `saved_addresses`;
--> statement-breakpoint
INSERT INTO `records_fts` (`rowid`, `details`) SELECT `number`, `t`.`address` || ' ' || `t`.`phone` FROM `saved_addresses` AS `t` JOIN `record_numbers` ON `record_id` = `t`.`id` AND `record_numbers`.`kind` = 'saved_addresses';
--> statement-breakpoint
CREATE TRIGGER `saved_address_words_added` AFTER INSERT ON `saved_addresses` BEGIN
	INSERT INTO `record_numbers` (`record_id`, `kind`) VALUES (NEW.`id`, 'saved_addresses');
	INSERT INTO `records_fts` (`rowid`, `details`) VALUES ((SELECT `number` FROM `record_numbers` WHERE `record_id` = NEW.`id` AND `record_numbers`.`kind` = 'saved_addresses'), NEW.`address` || ' ' || NEW.`phone`);
END;
--> statement-breakpoint
CREATE TRIGGER `saved_address_words_changed` AFTER UPDATE OF `address`, `phone` ON `saved_addresses` BEGIN
	DELETE FROM `records_fts` WHERE `rowid` = (SELECT `number` FROM `record_numbers` WHERE `record_id` = NEW.`id` AND `record_numbers`.`kind` = 'saved_addresses');
	INSERT INTO `records_fts` (`rowid`, `details`) VALUES ((SELECT `number` FROM `record_numbers` WHERE `record_id` = NEW.`id` AND `record_numbers`.`kind` = 'saved_addresses'), NEW.`address` || ' ' || NEW.`phone`);
END;
--> statement-breakpoint
CREATE TRIGGER `saved_address_words_deleted` AFTER DELETE ON `saved_addresses` BEGIN
	DELETE FROM `records_fts` WHERE `rowid` = (SELECT `number` FROM `record_numbers` WHERE `record_id` = OLD.`id` AND `record_numbers`.`kind` = 'saved_addresses');
	DELETE FROM `record_numbers` WHERE `record_id` = OLD.`id` AND `record_numbers`.`kind` = 'saved_addresses';
END;
