CREATE TABLE `viewed_days` (
	`seller_id` text NOT NULL,
	`day` integer NOT NULL,
	`views` integer NOT NULL,
	PRIMARY KEY(`seller_id`, `day`),
	FOREIGN KEY (`seller_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
