DROP INDEX `phones_brand`;--> statement-breakpoint
CREATE INDEX `phones_device` ON `phones` (lower("brand_name" || ' ' || "model"),`id`);--> statement-breakpoint
CREATE INDEX `phones_model` ON `phones` (lower("model"),`id`);--> statement-breakpoint
CREATE INDEX `content_reports_owner` ON `content_reports` (`owner_id`,`id`);