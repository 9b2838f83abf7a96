ALTER TABLE `tickets` RENAME TO `one_time_tokens`;--> statement-breakpoint
DROP INDEX `tickets_user`;--> statement-breakpoint
DROP INDEX `tickets_expiry`;--> statement-breakpoint
CREATE INDEX `one_time_tokens_user` ON `one_time_tokens` (`user_id`,`purpose`);--> statement-breakpoint
CREATE INDEX `one_time_tokens_expiry` ON `one_time_tokens` (`expires_at`);--> statement-breakpoint
ALTER TABLE `spent_states` RENAME TO `used_oauth_states`;--> statement-breakpoint
ALTER TABLE `used_oauth_states` RENAME COLUMN `spent_at` TO `used_at`;--> statement-breakpoint
ALTER TABLE `first_answers` RENAME TO `idempotency_keys`;--> statement-breakpoint
ALTER TABLE `idempotency_keys` RENAME COLUMN `answer` TO `response`;--> statement-breakpoint
DROP INDEX `first_answers_created_at`;--> statement-breakpoint
CREATE INDEX `idempotency_keys_created_at` ON `idempotency_keys` (`created_at`);--> statement-breakpoint
ALTER TABLE `activity` RENAME COLUMN `act` TO `action`;
