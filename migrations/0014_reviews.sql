CREATE TABLE `reviews` (
	`id` text PRIMARY KEY NOT NULL,
	`order_id` text NOT NULL,
	`author_role` text NOT NULL,
	`author_id` text NOT NULL,
	`subject_id` text NOT NULL,
	`stars` integer NOT NULL,
	`text` text NOT NULL,
	`created_at` integer NOT NULL,
	`edited_at` integer,
	`published_at` integer NOT NULL,
	`reply` text,
	`replied_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `reviews_order` ON `reviews` (`order_id`,`author_role`);--> statement-breakpoint
CREATE INDEX `reviews_subject` ON `reviews` (`subject_id`,`author_role`,`id`);--> statement-breakpoint
CREATE INDEX `reviews_rating` ON `reviews` (`subject_id`,`author_role`,`published_at`,`stars`);--> statement-breakpoint
CREATE INDEX `reviews_author` ON `reviews` (`author_id`,`id`);--> statement-breakpoint
CREATE TABLE `sent_emails` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sent_emails_created_at` ON `sent_emails` (`created_at`);--> statement-breakpoint
CREATE INDEX `order_steps_received` ON `order_steps` (`created_at`) WHERE "order_steps"."kind" = 'received';