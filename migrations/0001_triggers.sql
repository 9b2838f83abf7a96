-- What drizzle-kit can't express: indexes on expressions with commas, full-text search and triggers.

-- The number of an order is the end of its id, and same texts of listings are a signal to moderators.
CREATE INDEX `orders_number` ON `orders` (substr("id", -12));
--> statement-breakpoint
CREATE INDEX `phones_same_text` ON `phones` (substr("selling_reason", 1, 60)) WHERE length("selling_reason") >= 20;
--> statement-breakpoint
-- Sales of a model and a storage, newest first.
CREATE INDEX `orders_sales_of_storage` ON `orders` (lower("product_name"), replace(lower("rom"), ' ', ''), `id`) WHERE "stage" = 'received';
--> statement-breakpoint
-- By the size that searches compare.
CREATE INDEX `device_variants_rom` ON `device_variants` (rtrim(lower(replace("rom", ' ', '')), 'gb'), `category`, `brand`);
--> statement-breakpoint
CREATE INDEX `device_variants_ram` ON `device_variants` (rtrim(lower(replace("ram", ' ', '')), 'gb'), `category`, `brand`);
--> statement-breakpoint
-- Full-text search: words of device variants, and the dictionary that corrects typos.
CREATE VIRTUAL TABLE `device_variants_fts` USING fts5(`search_text`, content='device_variants', content_rowid='id', detail=none, columnsize=0, prefix='1 2 3', tokenize='unicode61 remove_diacritics 2');
--> statement-breakpoint
CREATE VIRTUAL TABLE `search_words_fts` USING fts5(`word`, content='search_words', content_rowid='id', detail=none, columnsize=0, tokenize='trigram');
--> statement-breakpoint
CREATE TRIGGER `device_variant_added` AFTER INSERT ON `device_variants` BEGIN
	INSERT INTO `device_variants_fts` (`rowid`, `search_text`) VALUES (NEW.`id`, NEW.`search_text`);
END;
--> statement-breakpoint
CREATE TRIGGER `device_variant_deleted` AFTER DELETE ON `device_variants` BEGIN
	INSERT INTO `device_variants_fts` (`device_variants_fts`, `rowid`, `search_text`) VALUES ('delete', OLD.`id`, OLD.`search_text`);
END;
--> statement-breakpoint
CREATE TRIGGER `search_word_added` AFTER INSERT ON `search_words` BEGIN
	INSERT INTO `search_words_fts` (`rowid`, `word`) VALUES (NEW.`id`, NEW.`word`);
END;
--> statement-breakpoint
CREATE TRIGGER `search_word_deleted` AFTER DELETE ON `search_words` BEGIN
	INSERT INTO `search_words_fts` (`search_words_fts`, `rowid`, `word`) VALUES ('delete', OLD.`id`, OLD.`word`);
END;
--> statement-breakpoint
-- Pages that show listings or sellers' names notice a change by this revision.
CREATE TRIGGER `phones_added` AFTER INSERT ON `phones` BEGIN
	INSERT INTO `revisions` (`name`, "revision") VALUES ('phones', lower(hex(randomblob(16)))) ON CONFLICT (`name`) DO UPDATE SET "revision" = excluded."revision";
END;
--> statement-breakpoint
CREATE TRIGGER `phones_changed` AFTER UPDATE ON `phones` BEGIN
	INSERT INTO `revisions` (`name`, "revision") VALUES ('phones', lower(hex(randomblob(16)))) ON CONFLICT (`name`) DO UPDATE SET "revision" = excluded."revision";
END;
--> statement-breakpoint
CREATE TRIGGER `phones_deleted` AFTER DELETE ON `phones` BEGIN
	INSERT INTO `revisions` (`name`, "revision") VALUES ('phones', lower(hex(randomblob(16)))) ON CONFLICT (`name`) DO UPDATE SET "revision" = excluded."revision";
END;
--> statement-breakpoint
CREATE TRIGGER `sellers_renamed` AFTER UPDATE OF `name` ON `users` BEGIN
	INSERT INTO `revisions` (`name`, "revision") VALUES ('phones', lower(hex(randomblob(16)))) ON CONFLICT (`name`) DO UPDATE SET "revision" = excluded."revision";
END;
--> statement-breakpoint
-- A listing gets its number, its variant, and whether its seller is verified.
CREATE TRIGGER `phone_added` AFTER INSERT ON `phones` BEGIN
	UPDATE `phones` SET
		`number` = coalesce(`number`, (SELECT coalesce(max(`number`), 0) + 1 FROM `phones`)),
		`seller_verified` = (SELECT `users`.`verified` FROM `users` WHERE `users`.`id` = NEW.`seller_id`),
		`variant_id` = (SELECT `v`.`id` FROM `device_variants` AS `v` WHERE (`v`.`category`, `v`.`brand`, `v`.`model`, `v`.`processor`, `v`.`rom`, `v`.`ram`) = (NEW.`category`, NEW.`brand_name`, NEW.`model`, NEW.`processor`, NEW.`rom`, NEW.`ram`))
	WHERE `id` = NEW.`id`;
	SELECT RAISE(ABORT, 'A listing needs its device variant first') FROM `phones` WHERE `id` = NEW.`id` AND `variant_id` IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER `phone_edited` AFTER UPDATE OF `brand_name`, `model`, `processor`, `rom`, `ram`, `os`, `device_type` ON `phones` BEGIN
	UPDATE `phones` SET
		`variant_id` = (SELECT `v`.`id` FROM `device_variants` AS `v` WHERE (`v`.`category`, `v`.`brand`, `v`.`model`, `v`.`processor`, `v`.`rom`, `v`.`ram`) = (NEW.`category`, NEW.`brand_name`, NEW.`model`, NEW.`processor`, NEW.`rom`, NEW.`ram`))
	WHERE `id` = NEW.`id`;
	SELECT RAISE(ABORT, 'A listing needs its device variant first') FROM `phones` WHERE `id` = NEW.`id` AND `variant_id` IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER `seller_verified` AFTER UPDATE OF `verified` ON `users` WHEN OLD.`verified` <> NEW.`verified` BEGIN
	UPDATE `phones` SET `seller_verified` = NEW.`verified` WHERE `seller_id` = NEW.`id`;
END;
--> statement-breakpoint
-- The number of listed phones of each variant.
CREATE TRIGGER `phone_counted` AFTER UPDATE OF `variant_id`, `status`, `hidden_by_id` ON `phones` WHEN OLD.`variant_id` IS NOT NEW.`variant_id` OR OLD.`listed` <> NEW.`listed` BEGIN
	UPDATE `device_variants` SET
		`listed` = `listed` + (`id` IS NEW.`variant_id` AND NEW.`listed`) - (`id` IS OLD.`variant_id` AND OLD.`listed`)
	WHERE `id` IN (NEW.`variant_id`, OLD.`variant_id`);
END;
--> statement-breakpoint
CREATE TRIGGER `phone_deleted` AFTER DELETE ON `phones` WHEN OLD.`listed` BEGIN
	UPDATE `device_variants` SET `listed` = `listed` - 1 WHERE `id` = OLD.`variant_id`;
END;
--> statement-breakpoint
-- The sums of `listed` of each category, in all and for each brand, storage and RAM.
CREATE TRIGGER `variant_counted` AFTER UPDATE OF `listed` ON `device_variants` WHEN OLD.`listed` <> NEW.`listed` BEGIN
	INSERT INTO `listed_counts` (`facet`, `value`, `category`, `listed`) VALUES
		('all', '', NEW.`category`, NEW.`listed` - OLD.`listed`),
		('brand', NEW.`brand`, NEW.`category`, NEW.`listed` - OLD.`listed`),
		('rom', NEW.`rom`, NEW.`category`, NEW.`listed` - OLD.`listed`),
		('ram', NEW.`ram`, NEW.`category`, NEW.`listed` - OLD.`listed`)
	ON CONFLICT (`facet`, `value`, `category`) DO UPDATE SET `listed` = `listed` + excluded.`listed`;
END;
--> statement-breakpoint
-- Changes of saved listings, of which a scheduled job tells who saved them.
CREATE TRIGGER `saved_listing_changed` AFTER UPDATE OF `status`, `hidden_by_id`, `selling_cents` ON `phones` WHEN (OLD.`status` = 'available' AND OLD.`hidden_by_id` IS NULL) IS NOT (NEW.`status` = 'available' AND NEW.`hidden_by_id` IS NULL) OR NEW.`selling_cents` < OLD.`selling_cents` BEGIN
	INSERT INTO `saved_listing_changes` (`id`, `phone_id`, `device`, `was_available`, `old_cents`, `created_at`) SELECT lower(hex(randomblob(16))), OLD.`id`, OLD.`brand_name` || ' ' || OLD.`model`, OLD.`status` = 'available' AND OLD.`hidden_by_id` IS NULL, OLD.`selling_cents`, CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER) WHERE EXISTS (SELECT 1 FROM `saved_listings` WHERE `phone_id` = OLD.`id`) ON CONFLICT (`phone_id`) WHERE `kind` IS NULL DO UPDATE SET `created_at` = excluded.`created_at`;
END;
--> statement-breakpoint
CREATE TRIGGER `saved_listing_deleted` AFTER DELETE ON `phones` BEGIN
	INSERT INTO `saved_listing_changes` (`id`, `phone_id`, `device`, `was_available`, `old_cents`, `created_at`) SELECT lower(hex(randomblob(16))), OLD.`id`, OLD.`brand_name` || ' ' || OLD.`model`, OLD.`status` = 'available' AND OLD.`hidden_by_id` IS NULL, OLD.`selling_cents`, CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER) WHERE EXISTS (SELECT 1 FROM `saved_listings` WHERE `phone_id` = OLD.`id`) ON CONFLICT (`phone_id`) WHERE `kind` IS NULL DO UPDATE SET `created_at` = excluded.`created_at`;
END;
--> statement-breakpoint
-- Days whose daily numbers a scheduled job counts again.
CREATE TRIGGER `account_day_added` AFTER INSERT ON `users` BEGIN
	INSERT INTO `uncounted_days` (`day`) VALUES (NEW.`created_at` / 86400000) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER `account_day_changed` AFTER UPDATE OF `removal_id` ON `users` WHEN (OLD.`removal_id` IS NULL) <> (NEW.`removal_id` IS NULL) BEGIN
	INSERT INTO `uncounted_days` (`day`) VALUES (NEW.`created_at` / 86400000) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER `account_day_deleted` AFTER DELETE ON `users` WHEN OLD.`removal_id` IS NULL BEGIN
	INSERT INTO `uncounted_days` (`day`) VALUES (OLD.`created_at` / 86400000) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER `listing_day_added` AFTER INSERT ON `phones` BEGIN
	INSERT INTO `uncounted_days` (`day`) VALUES (NEW.`created_at` / 86400000) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER `listing_day_changed` AFTER UPDATE OF `hidden_by_id` ON `phones` WHEN (OLD.`hidden_by_id` IS NULL) <> (NEW.`hidden_by_id` IS NULL) BEGIN
	INSERT INTO `uncounted_days` (`day`) VALUES (NEW.`created_at` / 86400000) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER `listing_day_deleted` AFTER DELETE ON `phones` BEGIN
	INSERT INTO `uncounted_days` (`day`) SELECT OLD.`created_at` / 86400000 WHERE OLD.`hidden_by_id` IS NULL UNION SELECT `created_at` / 86400000 FROM `saved_listings` WHERE `phone_id` = OLD.`id` ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER `saved_model_changed` AFTER UPDATE OF `brand_name`, `model` ON `phones` WHEN OLD.`brand_name` <> NEW.`brand_name` OR OLD.`model` <> NEW.`model` BEGIN
	INSERT INTO `uncounted_days` (`day`) SELECT `created_at` / 86400000 FROM `saved_listings` WHERE `phone_id` = NEW.`id` ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER `order_day_added` AFTER INSERT ON `orders` BEGIN
	INSERT INTO `uncounted_days` (`day`) VALUES (NEW.`created_at` / 86400000) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
-- A sale that is returned no longer counts on the day of its receipt.
CREATE TRIGGER `order_day_changed` AFTER UPDATE OF `status` ON `orders` WHEN OLD.`status` <> NEW.`status` BEGIN
	INSERT INTO `uncounted_days` (`day`) SELECT NEW.`created_at` / 86400000 UNION SELECT `created_at` / 86400000 FROM `order_steps` WHERE `order_id` = NEW.`id` AND `kind` = 'received' ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER `sale_day_added` AFTER INSERT ON `order_steps` WHEN NEW.`kind` = 'received' BEGIN
	INSERT INTO `uncounted_days` (`day`) VALUES (NEW.`created_at` / 86400000) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER `saved_day_added` AFTER INSERT ON `saved_listings` BEGIN
	INSERT INTO `uncounted_days` (`day`) VALUES (NEW.`created_at` / 86400000) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
CREATE TRIGGER `saved_day_deleted` AFTER DELETE ON `saved_listings` BEGIN
	INSERT INTO `uncounted_days` (`day`) VALUES (OLD.`created_at` / 86400000) ON CONFLICT DO NOTHING;
END;
--> statement-breakpoint
-- A row that does not hold makes its batch fail as a whole, and names itself: see app/db/expectations.server.ts.
-- libSQL accepts literal messages only.
CREATE VIEW `expectations` AS SELECT 0 AS `number`, 1 AS `holds`;
--> statement-breakpoint
CREATE TRIGGER `expectation_failed` INSTEAD OF INSERT ON `expectations` WHEN NOT coalesce(NEW.`holds`, 0) BEGIN
	SELECT CASE NEW.`number`
		WHEN 0 THEN raise(ABORT, 'expectation 0 failed')
		WHEN 1 THEN raise(ABORT, 'expectation 1 failed')
		WHEN 2 THEN raise(ABORT, 'expectation 2 failed')
		WHEN 3 THEN raise(ABORT, 'expectation 3 failed')
		WHEN 4 THEN raise(ABORT, 'expectation 4 failed')
		WHEN 5 THEN raise(ABORT, 'expectation 5 failed')
		WHEN 6 THEN raise(ABORT, 'expectation 6 failed')
		WHEN 7 THEN raise(ABORT, 'expectation 7 failed')
		WHEN 8 THEN raise(ABORT, 'expectation 8 failed')
		WHEN 9 THEN raise(ABORT, 'expectation 9 failed')
		WHEN 10 THEN raise(ABORT, 'expectation 10 failed')
		ELSE raise(ABORT, 'expectation 11 failed')
	END;
END;
