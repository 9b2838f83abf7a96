DROP INDEX `users_name`;--> statement-breakpoint
CREATE INDEX `users_name` ON `users` (lower("name"),`id`,`removal_id`);