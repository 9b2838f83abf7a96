DROP INDEX `content_reports_decision`;--> statement-breakpoint
CREATE INDEX `content_reports_decision` ON `content_reports` (`decision_id`) WHERE "content_reports"."decision_id" is not null;--> statement-breakpoint
DROP INDEX `reports_open`;--> statement-breakpoint
CREATE INDEX `reports_open` ON `reports` (`created_at`,`id`) WHERE "reports"."state" = 'open';--> statement-breakpoint
CREATE INDEX `users_moderators` ON `users` (`id`) WHERE "users"."moderator_since" is not null;--> statement-breakpoint
CREATE INDEX `users_suspended` ON `users` (`id`) WHERE "users"."suspension_id" is not null;--> statement-breakpoint
CREATE INDEX `decisions_hiding` ON `decisions` (`id`) WHERE "decisions"."kind" in ('hide', 'hold', 'suspend') and "decisions"."ended_at" is null;--> statement-breakpoint
CREATE INDEX `notifications_too_late` ON `notifications` (`id`) WHERE "notifications"."email_outcome" = 'too late';--> statement-breakpoint
CREATE INDEX `order_problem_steps_decided` ON `order_problem_steps` (`id`) WHERE "order_problem_steps"."kind" = 'decided';--> statement-breakpoint
CREATE INDEX `orders_sold_by` ON `orders` (`sold_by_id`,`id`);--> statement-breakpoint
-- drizzle-kit can't express these: parts of an order's number, from its second and its last group on.
CREATE INDEX `orders_number_groups` ON `orders` (substr("id", -8));
--> statement-breakpoint
CREATE INDEX `orders_last_group` ON `orders` (substr("id", -4));
