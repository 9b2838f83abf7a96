ALTER TABLE `reports` ADD `closed_at` integer;--> statement-breakpoint
-- When it was closed last, as the activity log says.
UPDATE `reports` SET `closed_at` = coalesce((SELECT max(`activity`.`created_at`) FROM `activity` WHERE `activity`.`target_id` = `reports`.`id` AND `activity`.`action` = 'closed report'), `created_at`) WHERE `state` = 'closed';--> statement-breakpoint
CREATE INDEX `reports_closed` ON `reports` (`closed_at`) WHERE "reports"."closed_at" is not null;--> statement-breakpoint
CREATE INDEX `device_variants_unlisted` ON `device_variants` (`id`) WHERE "device_variants"."listed" = 0;
