DROP INDEX `order_steps_once`;--> statement-breakpoint
CREATE UNIQUE INDEX `order_steps_once` ON `order_steps` (`order_id`,`kind`) WHERE "order_steps"."kind" in ('reserved', 'handed over', 'received', 'extended');--> statement-breakpoint
ALTER TABLE `bookings` ADD `deadline_at` integer;--> statement-breakpoint
ALTER TABLE `bookings` ADD `reminder_at` integer;--> statement-breakpoint
CREATE INDEX `bookings_deadline` ON `bookings` (`deadline_at`) WHERE "bookings"."status" = 'active';--> statement-breakpoint
CREATE INDEX `bookings_reminder` ON `bookings` (`reminder_at`) WHERE "bookings"."status" = 'active';