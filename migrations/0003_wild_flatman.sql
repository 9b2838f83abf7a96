CREATE TABLE `order_problem_steps` (
	`id` text PRIMARY KEY NOT NULL,
	`problem_id` text NOT NULL,
	`actor_id` text NOT NULL,
	`kind` text NOT NULL,
	`offer` text,
	`text` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `order_problem_steps_problem` ON `order_problem_steps` (`problem_id`,`id`);--> statement-breakpoint
CREATE INDEX `order_problem_steps_actor` ON `order_problem_steps` (`actor_id`,`id`);--> statement-breakpoint
CREATE TABLE `order_problems` (
	`id` text PRIMARY KEY NOT NULL,
	`order_id` text NOT NULL,
	`buyer_id` text NOT NULL,
	`seller_id` text NOT NULL,
	`opened_by` text NOT NULL,
	`kind` text NOT NULL,
	`state` text NOT NULL,
	`last_step_id` text NOT NULL,
	`deadline_at` integer,
	`reminder_at` integer,
	`created_at` integer NOT NULL,
	`ended_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `order_problems_one_open` ON `order_problems` (`order_id`) WHERE "order_problems"."ended_at" is null;--> statement-breakpoint
CREATE INDEX `order_problems_order` ON `order_problems` (`order_id`,`id`);--> statement-breakpoint
CREATE INDEX `order_problems_buyer` ON `order_problems` (`buyer_id`,`id`);--> statement-breakpoint
CREATE INDEX `order_problems_seller` ON `order_problems` (`seller_id`,`id`);--> statement-breakpoint
CREATE INDEX `order_problems_deadline` ON `order_problems` (`state`,`deadline_at`) WHERE "order_problems"."ended_at" is null;--> statement-breakpoint
CREATE INDEX `order_problems_reminder` ON `order_problems` (`reminder_at`) WHERE "order_problems"."reminder_at" is not null;