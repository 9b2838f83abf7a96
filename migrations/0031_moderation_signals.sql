CREATE TABLE `signals` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`target_id` text NOT NULL,
	`owner_id` text NOT NULL,
	`found` text NOT NULL,
	`created_at` integer NOT NULL,
	`decision_id` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `signals_target` ON `signals` (`kind`,`target_id`);--> statement-breakpoint
CREATE INDEX `signals_owner` ON `signals` (`owner_id`);--> statement-breakpoint
CREATE INDEX `signals_open` ON `signals` (`id`) WHERE "signals"."decision_id" is null;