CREATE TABLE `pending_decisions` (
	`problem_id` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`actor_id` text NOT NULL,
	`decision` text NOT NULL,
	`amount_cents` integer,
	`reason` text NOT NULL,
	`last_step_id` text NOT NULL,
	`created_at` integer NOT NULL
);
