ALTER TABLE `daily_numbers` ADD `views` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `viewed_days_day` ON `viewed_days` (`day`,`views`);--> statement-breakpoint
INSERT OR IGNORE INTO `uncounted_days` SELECT DISTINCT `day` FROM `viewed_days`;
