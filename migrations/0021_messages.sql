CREATE TABLE `blocks` (
	`blocker_id` text NOT NULL,
	`blocked_id` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`blocker_id`, `blocked_id`),
	FOREIGN KEY (`blocker_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`blocked_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `blocks_blocked` ON `blocks` (`blocked_id`);--> statement-breakpoint
CREATE TABLE `conversation_sides` (
	`conversation_id` text NOT NULL,
	`user_id` text NOT NULL,
	`other_id` text NOT NULL,
	`last_message_id` text NOT NULL,
	`unread` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`conversation_id`, `user_id`)
);
--> statement-breakpoint
CREATE INDEX `conversation_sides_user` ON `conversation_sides` (`user_id`,`last_message_id`);--> statement-breakpoint
CREATE INDEX `conversation_sides_unread` ON `conversation_sides` (`user_id`,`unread`) WHERE "conversation_sides"."unread" > 0;--> statement-breakpoint
CREATE TABLE `conversations` (
	`id` text PRIMARY KEY NOT NULL,
	`phone_id` text NOT NULL,
	`buyer_id` text NOT NULL,
	`product_name` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `conversations_phone_buyer` ON `conversations` (`phone_id`,`buyer_id`);--> statement-breakpoint
CREATE INDEX `conversations_buyer` ON `conversations` (`buyer_id`,`id`);--> statement-breakpoint
CREATE TABLE `messages` (
	`id` text PRIMARY KEY NOT NULL,
	`conversation_id` text NOT NULL,
	`sender_id` text NOT NULL,
	`text` text NOT NULL,
	`created_at` integer NOT NULL,
	`form_key` text
);
--> statement-breakpoint
CREATE INDEX `messages_conversation` ON `messages` (`conversation_id`,`id`);--> statement-breakpoint
CREATE INDEX `messages_sender` ON `messages` (`sender_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `messages_form_key` ON `messages` (`sender_id`,`form_key`);