DROP INDEX `order_steps_once`;--> statement-breakpoint
ALTER TABLE `order_steps` ADD `reason` text;--> statement-breakpoint
CREATE UNIQUE INDEX `order_steps_once` ON `order_steps` (`order_id`,`kind`) WHERE "order_steps"."kind" in ('reserved', 'handed over', 'received', 'extended', 'handover undone', 'receipt undone');--> statement-breakpoint
ALTER TABLE `orders` ADD `previous_deadline_at` integer;