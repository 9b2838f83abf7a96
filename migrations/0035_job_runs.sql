CREATE TABLE `job_runs` (
	`id` text PRIMARY KEY NOT NULL,
	`finished_at` integer NOT NULL,
	`failed` text NOT NULL
);
