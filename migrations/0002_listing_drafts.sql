CREATE TABLE `listing_drafts` (
	`seller_id` text NOT NULL,
	`id` text NOT NULL,
	`typed` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`seller_id`, `id`),
	FOREIGN KEY (`seller_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
