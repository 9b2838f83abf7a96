DROP INDEX `reviews_rating`;--> statement-breakpoint
CREATE INDEX `reviews_rating` ON `reviews` (`subject_id`,`author_role`,`published_at`,`stars`) WHERE "reviews"."hidden_by_id" is null;--> statement-breakpoint
UPDATE `users` SET `name` = 'Former member' WHERE `name` = 'Deleted account' AND `removal_id` IS NOT NULL;--> statement-breakpoint
UPDATE `bookings` SET `buyer_name` = 'Former member' WHERE `buyer_name` = 'Deleted account';--> statement-breakpoint
UPDATE `reports` SET `name` = 'Former member' WHERE `name` = 'Deleted account';--> statement-breakpoint
UPDATE `activity` SET `actor_email` = 'Former member' WHERE `actor_email` = 'Deleted account';--> statement-breakpoint
UPDATE `activity` SET `target` = 'Former member' WHERE `target` = 'Deleted account';--> statement-breakpoint
UPDATE `decisions` SET `target` = 'Former member' WHERE `target` = 'Deleted account';
