DROP INDEX `reviews_rating`;--> statement-breakpoint
CREATE INDEX `reviews_rating` ON `reviews` (`subject_id`,`author_role`,`author_id`,`published_at`,`stars`) WHERE "reviews"."hidden_by_id" is null;