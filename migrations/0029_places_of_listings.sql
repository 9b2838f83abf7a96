DROP INDEX `catalog_newest`;--> statement-breakpoint
DROP INDEX `catalog_price`;--> statement-breakpoint
DROP INDEX `catalog_saving`;--> statement-breakpoint
DROP INDEX `catalog_category_newest`;--> statement-breakpoint
DROP INDEX `catalog_category_price`;--> statement-breakpoint
DROP INDEX `catalog_category_saving`;--> statement-breakpoint
DROP INDEX `catalog_variant`;--> statement-breakpoint
ALTER TABLE `phones` ADD `city` text GENERATED ALWAYS AS ("details" ->> 'city') VIRTUAL;--> statement-breakpoint
CREATE INDEX `catalog_newest` ON `phones` (`number`,`category`,`variant_id`,`selling_cents`,`saving_cents`,`status`,`seller_verified`,`return_days`,`condition`,`battery_health`,`color`,`carrier_lock`,`city`) WHERE "listed";--> statement-breakpoint
CREATE INDEX `catalog_price` ON `phones` (`selling_cents`,`number`,`category`,`variant_id`,`saving_cents`,`status`,`seller_verified`,`return_days`,`condition`,`battery_health`,`color`,`carrier_lock`,`city`) WHERE "listed";--> statement-breakpoint
CREATE INDEX `catalog_saving` ON `phones` (`saving_cents`,`number`,`category`,`variant_id`,`selling_cents`,`status`,`seller_verified`,`return_days`,`condition`,`battery_health`,`color`,`carrier_lock`,`city`) WHERE "listed";--> statement-breakpoint
CREATE INDEX `catalog_category_newest` ON `phones` (`category`,`number`,`variant_id`,`selling_cents`,`saving_cents`,`status`,`seller_verified`,`return_days`,`condition`,`battery_health`,`color`,`carrier_lock`,`city`) WHERE "listed";--> statement-breakpoint
CREATE INDEX `catalog_category_price` ON `phones` (`category`,`selling_cents`,`number`,`variant_id`,`saving_cents`,`status`,`seller_verified`,`return_days`,`condition`,`battery_health`,`color`,`carrier_lock`,`city`) WHERE "listed";--> statement-breakpoint
CREATE INDEX `catalog_category_saving` ON `phones` (`category`,`saving_cents`,`number`,`variant_id`,`selling_cents`,`status`,`seller_verified`,`return_days`,`condition`,`battery_health`,`color`,`carrier_lock`,`city`) WHERE "listed";--> statement-breakpoint
CREATE INDEX `catalog_variant` ON `phones` (`variant_id`,`number`,`category`,`selling_cents`,`saving_cents`,`status`,`seller_verified`,`return_days`,`condition`,`battery_health`,`color`,`carrier_lock`,`city`) WHERE "listed";