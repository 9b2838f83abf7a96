CREATE TABLE `empty_searches` (
	`day` integer NOT NULL,
	`words` text NOT NULL,
	`searches` integer NOT NULL,
	PRIMARY KEY(`day`, `words`)
);
