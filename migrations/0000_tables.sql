CREATE TABLE `account_emails` (
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `kind`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `account_emails_created_at` ON `account_emails` (`created_at`);--> statement-breakpoint
CREATE TABLE `log_in_attempts` (
	`key` text PRIMARY KEY NOT NULL,
	`attempts` integer NOT NULL,
	`last_at` integer NOT NULL,
	`blocked_until` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `log_in_attempts_last_at` ON `log_in_attempts` (`last_at`);--> statement-breakpoint
CREATE TABLE `logins` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`day` integer NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `logins_user_day` ON `logins` (`user_id`,`day`);--> statement-breakpoint
CREATE TABLE `one_time_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`purpose` text NOT NULL,
	`user_id` text,
	`email` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `one_time_tokens_user` ON `one_time_tokens` (`user_id`,`purpose`);--> statement-breakpoint
CREATE INDEX `one_time_tokens_expiry` ON `one_time_tokens` (`expires_at`);--> statement-breakpoint
CREATE TABLE `passkeys` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`public_key` text NOT NULL,
	`counter` integer NOT NULL,
	`transports` text NOT NULL,
	`backed_up` integer NOT NULL,
	`name` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `passkeys_user` ON `passkeys` (`user_id`);--> statement-breakpoint
CREATE TABLE `personal_access_tokens` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`scope` text NOT NULL,
	`token_hash` text NOT NULL,
	`form_key` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`last_used_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `personal_access_tokens_token_hash_unique` ON `personal_access_tokens` (`token_hash`);--> statement-breakpoint
CREATE UNIQUE INDEX `personal_access_tokens_form_key` ON `personal_access_tokens` (`user_id`,`form_key`);--> statement-breakpoint
CREATE TABLE `sessions` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`last_seen_at` integer DEFAULT 0 NOT NULL,
	`device` text DEFAULT 'Unknown device' NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`);--> statement-breakpoint
CREATE TABLE `sign_up_addresses` (
	`user_id` text PRIMARY KEY NOT NULL,
	`address_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `sign_up_addresses_address` ON `sign_up_addresses` (`address_hash`);--> statement-breakpoint
CREATE INDEX `sign_up_addresses_created_at` ON `sign_up_addresses` (`created_at`);--> statement-breakpoint
CREATE TABLE `used_oauth_states` (
	`state` text PRIMARY KEY NOT NULL,
	`used_at` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `users` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`password_hash` text,
	`google_subject` text,
	`user_type` text NOT NULL,
	`verified` integer DEFAULT false NOT NULL,
	`email_verified_at` integer,
	`created_at` integer NOT NULL,
	`removal_id` text,
	`suspension_id` text,
	`suspended_until` integer,
	`moderator_since` integer,
	`session_version` integer DEFAULT 0 NOT NULL,
	`last_seen_day` integer,
	`terms_version_id` text,
	`privacy_version_id` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_email` ON `users` (lower("email")) WHERE "users"."removal_id" is null;--> statement-breakpoint
CREATE UNIQUE INDEX `users_google_subject` ON `users` (`google_subject`) WHERE "users"."removal_id" is null;--> statement-breakpoint
CREATE INDEX `users_email_ever` ON `users` (lower("email"));--> statement-breakpoint
CREATE INDEX `users_user_type` ON `users` (`user_type`,`id`);--> statement-breakpoint
CREATE INDEX `users_name` ON `users` (lower("name"),`id`,`removal_id`);--> statement-breakpoint
CREATE TABLE `activity` (
	`id` text PRIMARY KEY NOT NULL,
	`actor_id` text NOT NULL,
	`actor_email` text NOT NULL,
	`action` text NOT NULL,
	`target_id` text NOT NULL,
	`target` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `activity_target` ON `activity` (`target_id`,`id`);--> statement-breakpoint
CREATE INDEX `activity_action` ON `activity` (`action`,`id`);--> statement-breakpoint
CREATE INDEX `activity_actor` ON `activity` (lower("actor_email"),`id`);--> statement-breakpoint
CREATE TABLE `removals` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`target_id` text NOT NULL,
	`actor_id` text NOT NULL,
	`created_at` integer NOT NULL,
	`undone_at` integer,
	`form_key` text
);
--> statement-breakpoint
CREATE TABLE `device_variants` (
	`id` integer PRIMARY KEY NOT NULL,
	`category` text NOT NULL,
	`brand` text NOT NULL,
	`model` text NOT NULL,
	`processor` text NOT NULL,
	`rom` text NOT NULL,
	`ram` text NOT NULL,
	`model_slug` text NOT NULL,
	`search_text` text NOT NULL,
	`listed` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `device_variants_device` ON `device_variants` (`model`,`brand`,`category`,`processor`,`rom`,`ram`);--> statement-breakpoint
CREATE INDEX `device_variants_brand` ON `device_variants` (`brand`,`category`,`rom`,`ram`);--> statement-breakpoint
CREATE INDEX `device_variants_model` ON `device_variants` (`model_slug`);--> statement-breakpoint
CREATE TABLE `listed_counts` (
	`facet` text NOT NULL,
	`value` text NOT NULL,
	`category` text NOT NULL,
	`listed` integer NOT NULL,
	PRIMARY KEY(`facet`, `value`, `category`)
);
--> statement-breakpoint
CREATE TABLE `revisions` (
	`name` text PRIMARY KEY NOT NULL,
	`revision` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `search_words` (
	`id` integer PRIMARY KEY NOT NULL,
	`word` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `search_words_word_unique` ON `search_words` (`word`);--> statement-breakpoint
CREATE TABLE `idempotency_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`body_hash` text NOT NULL,
	`name` text NOT NULL,
	`status` integer,
	`response` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `idempotency_keys_created_at` ON `idempotency_keys` (`created_at`);--> statement-breakpoint
CREATE TABLE `job_runs` (
	`id` text PRIMARY KEY NOT NULL,
	`finished_at` integer NOT NULL,
	`failed` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `listing_drafts` (
	`seller_id` text NOT NULL,
	`id` text NOT NULL,
	`typed` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`seller_id`, `id`),
	FOREIGN KEY (`seller_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `phones` (
	`id` text PRIMARY KEY NOT NULL,
	`seller_id` text NOT NULL,
	`brand_name` text NOT NULL,
	`model` text NOT NULL,
	`ram` text NOT NULL,
	`rom` text NOT NULL,
	`image` text NOT NULL,
	`camera` text NOT NULL,
	`processor` text NOT NULL,
	`battery` text NOT NULL,
	`os` text NOT NULL,
	`device_type` text NOT NULL,
	`selling_reason` text NOT NULL,
	`market_cents` integer NOT NULL,
	`selling_cents` integer NOT NULL,
	`post_date` text NOT NULL,
	`used_time` text NOT NULL,
	`status` text DEFAULT 'available' NOT NULL,
	`created_at` integer NOT NULL,
	`hidden_by_id` text,
	`form_key` text,
	`number` integer,
	`variant_id` integer,
	`seller_verified` integer DEFAULT false NOT NULL,
	`listed` integer GENERATED ALWAYS AS ("hidden_by_id" is null and "status" <> 'sold') VIRTUAL,
	`category` text GENERATED ALWAYS AS (iif("device_type" = 'Tablet', 'tablet', iif("os" = 'Ios', 'ios', 'android'))) VIRTUAL,
	`saving_cents` integer GENERATED ALWAYS AS ("market_cents" - "selling_cents") VIRTUAL,
	`cover` text,
	`condition` text,
	`battery_health` integer,
	`color` text,
	`carrier_lock` text,
	`offers_welcome` text,
	`details` text DEFAULT '{}' NOT NULL,
	`imei_hash` text,
	FOREIGN KEY (`seller_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `phones_number` ON `phones` (`number`);--> statement-breakpoint
CREATE UNIQUE INDEX `phones_form_key` ON `phones` (`seller_id`,`form_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `phones_imei` ON `phones` (`imei_hash`) WHERE "phones"."imei_hash" is not null and "phones"."hidden_by_id" is null;--> statement-breakpoint
CREATE INDEX `phones_kind` ON `phones` (`device_type`,`os`,`id`);--> statement-breakpoint
CREATE INDEX `phones_seller` ON `phones` (`seller_id`,`id`);--> statement-breakpoint
CREATE INDEX `phones_price` ON `phones` (`selling_cents`,`id`);--> statement-breakpoint
CREATE INDEX `phones_imei_ever` ON `phones` (`imei_hash`) WHERE "phones"."imei_hash" is not null;--> statement-breakpoint
CREATE INDEX `phones_device` ON `phones` (lower("brand_name" || ' ' || "model"),`id`);--> statement-breakpoint
CREATE INDEX `phones_model` ON `phones` (lower("model"),`id`);--> statement-breakpoint
CREATE INDEX `phones_hidden` ON `phones` (`hidden_by_id`) WHERE "phones"."hidden_by_id" is not null;--> statement-breakpoint
CREATE INDEX `phones_hidden_with_photos` ON `phones` (`hidden_by_id`) WHERE "phones"."hidden_by_id" is not null and "phones"."cover" is not null;--> statement-breakpoint
CREATE INDEX `catalog_newest` ON `phones` (`number`,`category`,`variant_id`,`selling_cents`,`saving_cents`,`status`,`seller_verified`,`condition`,`battery_health`,`color`,`carrier_lock`) WHERE "listed";--> statement-breakpoint
CREATE INDEX `catalog_price` ON `phones` (`selling_cents`,`number`,`category`,`variant_id`,`saving_cents`,`status`,`seller_verified`,`condition`,`battery_health`,`color`,`carrier_lock`) WHERE "listed";--> statement-breakpoint
CREATE INDEX `catalog_saving` ON `phones` (`saving_cents`,`number`,`category`,`variant_id`,`selling_cents`,`status`,`seller_verified`,`condition`,`battery_health`,`color`,`carrier_lock`) WHERE "listed";--> statement-breakpoint
CREATE INDEX `catalog_category_newest` ON `phones` (`category`,`number`,`variant_id`,`selling_cents`,`saving_cents`,`status`,`seller_verified`,`condition`,`battery_health`,`color`,`carrier_lock`) WHERE "listed";--> statement-breakpoint
CREATE INDEX `catalog_category_price` ON `phones` (`category`,`selling_cents`,`number`,`variant_id`,`saving_cents`,`status`,`seller_verified`,`condition`,`battery_health`,`color`,`carrier_lock`) WHERE "listed";--> statement-breakpoint
CREATE INDEX `catalog_category_saving` ON `phones` (`category`,`saving_cents`,`number`,`variant_id`,`selling_cents`,`status`,`seller_verified`,`condition`,`battery_health`,`color`,`carrier_lock`) WHERE "listed";--> statement-breakpoint
CREATE INDEX `catalog_variant` ON `phones` (`variant_id`,`number`,`category`,`selling_cents`,`saving_cents`,`status`,`seller_verified`,`condition`,`battery_health`,`color`,`carrier_lock`) WHERE "listed";--> statement-breakpoint
CREATE TABLE `photos` (
	`id` text PRIMARY KEY NOT NULL,
	`phone_id` text,
	`problem_id` text,
	`position` integer NOT NULL,
	`width` integer NOT NULL,
	`height` integer NOT NULL,
	`digest` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `photos_once` ON `photos` (`phone_id`,`digest`);--> statement-breakpoint
CREATE INDEX `photos_phone` ON `photos` (`phone_id`,`position`);--> statement-breakpoint
CREATE INDEX `photos_problem` ON `photos` (`problem_id`,`phone_id`);--> statement-breakpoint
CREATE TABLE `price_changes` (
	`id` text PRIMARY KEY NOT NULL,
	`phone_id` text NOT NULL,
	`old_cents` integer NOT NULL,
	`new_cents` integer NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `price_changes_phone` ON `price_changes` (`phone_id`,`id`);--> statement-breakpoint
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
CREATE TABLE `conversation_participants` (
	`conversation_id` text NOT NULL,
	`user_id` text NOT NULL,
	`other_id` text NOT NULL,
	`last_message_id` text NOT NULL,
	`unread` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`conversation_id`, `user_id`)
);
--> statement-breakpoint
CREATE INDEX `conversation_participants_user` ON `conversation_participants` (`user_id`,`last_message_id`);--> statement-breakpoint
CREATE INDEX `conversation_participants_unread` ON `conversation_participants` (`user_id`,`unread`) WHERE "conversation_participants"."unread" > 0;--> statement-breakpoint
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
	`form_key` text,
	`hidden_by_id` text
);
--> statement-breakpoint
CREATE INDEX `messages_conversation` ON `messages` (`conversation_id`,`id`);--> statement-breakpoint
CREATE INDEX `messages_sender` ON `messages` (`sender_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `messages_form_key` ON `messages` (`sender_id`,`form_key`);--> statement-breakpoint
CREATE TABLE `content_reports` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`target_id` text NOT NULL,
	`owner_id` text NOT NULL,
	`reporter_id` text NOT NULL,
	`reason` text NOT NULL,
	`details` text NOT NULL,
	`created_at` integer NOT NULL,
	`decision_id` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `content_reports_one_open` ON `content_reports` (`kind`,`target_id`,`reporter_id`) WHERE "content_reports"."decision_id" is null;--> statement-breakpoint
CREATE INDEX `content_reports_target` ON `content_reports` (`kind`,`target_id`,`id`);--> statement-breakpoint
CREATE INDEX `content_reports_owner` ON `content_reports` (`owner_id`,`id`);--> statement-breakpoint
CREATE INDEX `content_reports_reporter` ON `content_reports` (`reporter_id`,`id`);--> statement-breakpoint
CREATE INDEX `content_reports_decision` ON `content_reports` (`decision_id`);--> statement-breakpoint
CREATE TABLE `decisions` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`target_kind` text NOT NULL,
	`target_id` text NOT NULL,
	`target` text NOT NULL,
	`owner_id` text NOT NULL,
	`actor_id` text,
	`reason` text NOT NULL,
	`until` integer,
	`created_at` integer NOT NULL,
	`ended_at` integer,
	`previous_id` text,
	`form_key` text,
	`appeal` text,
	`appealed_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `decisions_form_key_unique` ON `decisions` (`form_key`);--> statement-breakpoint
CREATE INDEX `decisions_owner` ON `decisions` (`owner_id`,`id`);--> statement-breakpoint
CREATE INDEX `decisions_target` ON `decisions` (`target_kind`,`target_id`,`id`);--> statement-breakpoint
CREATE INDEX `decisions_previous` ON `decisions` (`previous_id`) WHERE "decisions"."previous_id" is not null;--> statement-breakpoint
CREATE INDEX `decisions_held` ON `decisions` (`id`) WHERE "decisions"."kind" = 'hold' and "decisions"."ended_at" is null;--> statement-breakpoint
CREATE INDEX `decisions_suspended` ON `decisions` (`until`) WHERE "decisions"."kind" = 'suspend' and "decisions"."ended_at" is null;--> statement-breakpoint
CREATE INDEX `decisions_appealed` ON `decisions` (`appealed_at`) WHERE "decisions"."appealed_at" is not null;--> statement-breakpoint
CREATE TABLE `report_messages` (
	`id` text PRIMARY KEY NOT NULL,
	`report_id` text NOT NULL,
	`author_id` text,
	`text` text NOT NULL,
	`created_at` integer NOT NULL,
	`email_done_at` integer,
	`form_key` text,
	FOREIGN KEY (`report_id`) REFERENCES `reports`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `report_messages_form_key_unique` ON `report_messages` (`form_key`);--> statement-breakpoint
CREATE INDEX `report_messages_report` ON `report_messages` (`report_id`,`id`);--> statement-breakpoint
CREATE INDEX `report_messages_due` ON `report_messages` (`created_at`) WHERE "report_messages"."author_id" is not null and "report_messages"."email_done_at" is null;--> statement-breakpoint
CREATE TABLE `reports` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`email` text NOT NULL,
	`details` text NOT NULL,
	`created_at` integer NOT NULL,
	`state` text DEFAULT 'open' NOT NULL,
	`form_key` text,
	`removal_id` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `reports_form_key_unique` ON `reports` (`form_key`);--> statement-breakpoint
CREATE INDEX `reports_open` ON `reports` (`created_at`) WHERE "reports"."state" = 'open';--> statement-breakpoint
CREATE INDEX `reports_email` ON `reports` (lower("email"),`id`);--> statement-breakpoint
CREATE INDEX `reports_removal` ON `reports` (`removal_id`) WHERE "reports"."removal_id" is not null;--> statement-breakpoint
CREATE TABLE `signals` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`target_id` text NOT NULL,
	`owner_id` text NOT NULL,
	`found` text NOT NULL,
	`created_at` integer NOT NULL,
	`decision_id` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `signals_target` ON `signals` (`kind`,`target_id`);--> statement-breakpoint
CREATE INDEX `signals_owner` ON `signals` (`owner_id`);--> statement-breakpoint
CREATE INDEX `signals_open` ON `signals` (`id`) WHERE "signals"."decision_id" is null;--> statement-breakpoint
CREATE TABLE `email_opt_outs` (
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`user_id`, `kind`),
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `notifications` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`kind` text NOT NULL,
	`subject` text NOT NULL,
	`path` text NOT NULL,
	`event` text NOT NULL,
	`created_at` integer NOT NULL,
	`read_at` integer,
	`email_done_at` integer,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `notifications_event` ON `notifications` (`user_id`,`event`);--> statement-breakpoint
CREATE INDEX `notifications_user` ON `notifications` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `notifications_unread` ON `notifications` (`user_id`,`path`) WHERE "notifications"."read_at" is null;--> statement-breakpoint
CREATE INDEX `notifications_email_due` ON `notifications` (`id`) WHERE "notifications"."email_done_at" is null;--> statement-breakpoint
CREATE INDEX `notifications_read_at` ON `notifications` (`read_at`) WHERE "notifications"."read_at" is not null;--> statement-breakpoint
CREATE TABLE `sent_emails` (
	`id` text PRIMARY KEY NOT NULL,
	`created_at` integer NOT NULL,
	`sent_at` integer
);
--> statement-breakpoint
CREATE INDEX `sent_emails_created_at` ON `sent_emails` (`created_at`);--> statement-breakpoint
CREATE TABLE `order_problem_steps` (
	`id` text PRIMARY KEY NOT NULL,
	`problem_id` text NOT NULL,
	`actor_id` text NOT NULL,
	`kind` text NOT NULL,
	`offer` text,
	`text` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `order_problem_steps_problem` ON `order_problem_steps` (`problem_id`,`id`);--> statement-breakpoint
CREATE INDEX `order_problem_steps_actor` ON `order_problem_steps` (`actor_id`,`id`);--> statement-breakpoint
CREATE TABLE `order_problems` (
	`id` text PRIMARY KEY NOT NULL,
	`order_id` text NOT NULL,
	`buyer_id` text NOT NULL,
	`seller_id` text NOT NULL,
	`opened_by` text NOT NULL,
	`kind` text NOT NULL,
	`state` text NOT NULL,
	`last_step_id` text NOT NULL,
	`deadline_at` integer,
	`reminder_at` integer,
	`created_at` integer NOT NULL,
	`ended_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `order_problems_one_open` ON `order_problems` (`order_id`) WHERE "order_problems"."ended_at" is null;--> statement-breakpoint
CREATE INDEX `order_problems_order` ON `order_problems` (`order_id`,`id`);--> statement-breakpoint
CREATE INDEX `order_problems_buyer` ON `order_problems` (`buyer_id`,`id`);--> statement-breakpoint
CREATE INDEX `order_problems_seller` ON `order_problems` (`seller_id`,`id`);--> statement-breakpoint
CREATE INDEX `order_problems_deadline` ON `order_problems` (`state`,`deadline_at`) WHERE "order_problems"."ended_at" is null;--> statement-breakpoint
CREATE INDEX `order_problems_reminder` ON `order_problems` (`reminder_at`) WHERE "order_problems"."reminder_at" is not null;--> statement-breakpoint
CREATE TABLE `offers` (
	`id` text PRIMARY KEY NOT NULL,
	`phone_id` text NOT NULL,
	`buyer_id` text NOT NULL,
	`seller_id` text NOT NULL,
	`side` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL,
	`answer` text,
	`answered_at` integer,
	`usable_until` integer
);
--> statement-breakpoint
CREATE INDEX `offers_buyer` ON `offers` (`buyer_id`,`phone_id`,`id`);--> statement-breakpoint
CREATE INDEX `offers_seller` ON `offers` (`seller_id`,`id`);--> statement-breakpoint
CREATE INDEX `offers_phone` ON `offers` (`phone_id`);--> statement-breakpoint
CREATE TABLE `order_steps` (
	`id` text PRIMARY KEY NOT NULL,
	`order_id` text NOT NULL,
	`kind` text NOT NULL,
	`actor_id` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `order_steps_order` ON `order_steps` (`order_id`,`kind`,`actor_id`);--> statement-breakpoint
CREATE INDEX `order_steps_actor` ON `order_steps` (`actor_id`,`id`);--> statement-breakpoint
CREATE INDEX `order_steps_received` ON `order_steps` (`created_at`) WHERE "order_steps"."kind" = 'received';--> statement-breakpoint
CREATE UNIQUE INDEX `order_steps_once` ON `order_steps` (`order_id`,`kind`) WHERE "order_steps"."kind" in ('reserved', 'handed over', 'received', 'extended');--> statement-breakpoint
CREATE TABLE `orders` (
	`id` text PRIMARY KEY NOT NULL,
	`phone_id` text NOT NULL,
	`buyer_id` text NOT NULL,
	`product_name` text NOT NULL,
	`ram` text NOT NULL,
	`rom` text NOT NULL,
	`buyer_name` text NOT NULL,
	`buyer_address` text NOT NULL,
	`email` text NOT NULL,
	`phone` text NOT NULL,
	`price_cents` integer NOT NULL,
	`status` text DEFAULT 'active' NOT NULL,
	`created_at` integer NOT NULL,
	`removal_id` text,
	`form_key` text,
	`stage` text DEFAULT 'reserved' NOT NULL,
	`parcel_service` text,
	`tracking_number` text,
	`deadline_at` integer,
	`reminder_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `orders_form_key` ON `orders` (`buyer_id`,`form_key`);--> statement-breakpoint
CREATE UNIQUE INDEX `orders_one_active_per_phone` ON `orders` (`phone_id`) WHERE "orders"."status" = 'active';--> statement-breakpoint
CREATE INDEX `orders_buyer` ON `orders` (`buyer_id`,`id`);--> statement-breakpoint
CREATE INDEX `orders_phone` ON `orders` (`phone_id`,`id`);--> statement-breakpoint
CREATE INDEX `orders_price` ON `orders` (`price_cents`,`id`);--> statement-breakpoint
CREATE INDEX `orders_deadline` ON `orders` (`deadline_at`) WHERE "orders"."status" = 'active';--> statement-breakpoint
CREATE INDEX `orders_reminder` ON `orders` (`reminder_at`) WHERE "orders"."status" = 'active';--> statement-breakpoint
CREATE INDEX `orders_removal` ON `orders` (`removal_id`) WHERE "orders"."removal_id" is not null;--> statement-breakpoint
CREATE INDEX `orders_sales` ON `orders` (lower("product_name"),`id`) WHERE "orders"."stage" = 'received';--> statement-breakpoint
CREATE TABLE `saved_addresses` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`address` text NOT NULL,
	`phone` text NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `saved_addresses_once` ON `saved_addresses` (`user_id`,`address`,`phone`);--> statement-breakpoint
CREATE TABLE `page_versions` (
	`id` text PRIMARY KEY NOT NULL,
	`slug` text NOT NULL,
	`kind` text NOT NULL,
	`state` text NOT NULL,
	`title` text NOT NULL,
	`body` text NOT NULL,
	`in_footer` integer NOT NULL,
	`author_id` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `page_versions_slug` ON `page_versions` (`slug`,`id`);--> statement-breakpoint
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
	`replied_at` integer,
	`hidden_by_id` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `reviews_order` ON `reviews` (`order_id`,`author_role`);--> statement-breakpoint
CREATE INDEX `reviews_subject` ON `reviews` (`subject_id`,`author_role`,`id`);--> statement-breakpoint
CREATE INDEX `reviews_rating` ON `reviews` (`subject_id`,`author_role`,`author_id`,`published_at`,`stars`) WHERE "reviews"."hidden_by_id" is null;--> statement-breakpoint
CREATE INDEX `reviews_author` ON `reviews` (`author_id`,`id`);--> statement-breakpoint
CREATE INDEX `reviews_published_at` ON `reviews` (`published_at`);--> statement-breakpoint
CREATE TABLE `saved_listing_changes` (
	`id` text PRIMARY KEY NOT NULL,
	`phone_id` text NOT NULL,
	`device` text NOT NULL,
	`was_available` integer NOT NULL,
	`old_cents` integer NOT NULL,
	`created_at` integer NOT NULL,
	`kind` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `saved_listing_changes_new` ON `saved_listing_changes` (`phone_id`) WHERE "saved_listing_changes"."kind" is null;--> statement-breakpoint
CREATE INDEX `saved_listing_changes_created_at` ON `saved_listing_changes` (`created_at`);--> statement-breakpoint
CREATE TABLE `saved_listings` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`phone_id` text NOT NULL,
	`price_cents` integer NOT NULL,
	`notified_cents` integer,
	`created_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `saved_listings_once` ON `saved_listings` (`user_id`,`phone_id`);--> statement-breakpoint
CREATE INDEX `saved_listings_user` ON `saved_listings` (`user_id`,`id`);--> statement-breakpoint
CREATE INDEX `saved_listings_phone` ON `saved_listings` (`phone_id`,`user_id`);--> statement-breakpoint
CREATE TABLE `saved_search_keys` (
	`key` text NOT NULL,
	`to_cents` integer NOT NULL,
	`search_id` text NOT NULL,
	PRIMARY KEY(`key`, `to_cents`, `search_id`),
	FOREIGN KEY (`search_id`) REFERENCES `saved_searches`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `saved_search_keys_search` ON `saved_search_keys` (`search_id`);--> statement-breakpoint
CREATE TABLE `saved_searches` (
	`id` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`name` text NOT NULL,
	`category` text NOT NULL,
	`query` text NOT NULL,
	`frequency` text NOT NULL,
	`created_at` integer NOT NULL,
	`clauses` text NOT NULL,
	`from_cents` integer NOT NULL,
	`to_cents` integer NOT NULL,
	`new_count` integer DEFAULT 0 NOT NULL,
	`matched_ids` text DEFAULT '[]' NOT NULL,
	`pending_count` integer DEFAULT 0 NOT NULL,
	`notified_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `saved_searches_query` ON `saved_searches` (`user_id`,`category`,`query`);--> statement-breakpoint
CREATE INDEX `saved_searches_due` ON `saved_searches` (`frequency`,`notified_at`) WHERE "saved_searches"."pending_count" > 0;--> statement-breakpoint
CREATE TABLE `unmatched_listings` (
	`phone_id` text PRIMARY KEY NOT NULL,
	`revision` text NOT NULL,
	`old_variant_id` integer,
	`old_cents` integer,
	`old_stated` text
);
--> statement-breakpoint
CREATE INDEX `unmatched_listings_revision` ON `unmatched_listings` (`revision`);--> statement-breakpoint
CREATE TABLE `daily_demand` (
	`day` integer NOT NULL,
	`model` text NOT NULL,
	`bookings` integer NOT NULL,
	`saves` integer NOT NULL,
	PRIMARY KEY(`day`, `model`)
);
--> statement-breakpoint
CREATE TABLE `daily_numbers` (
	`day` integer PRIMARY KEY NOT NULL,
	`sign_ups` integer NOT NULL,
	`listings` integer NOT NULL,
	`bookings` integer NOT NULL,
	`cancelled` integer NOT NULL,
	`sales` integer NOT NULL,
	`sales_cents` integer NOT NULL,
	`days_to_sale` text NOT NULL
);
--> statement-breakpoint
CREATE TABLE `empty_searches` (
	`day` integer NOT NULL,
	`words` text NOT NULL,
	`searches` integer NOT NULL,
	PRIMARY KEY(`day`, `words`)
);
--> statement-breakpoint
CREATE TABLE `listing_views` (
	`phone_id` text PRIMARY KEY NOT NULL,
	`views` integer NOT NULL,
	FOREIGN KEY (`phone_id`) REFERENCES `phones`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `uncounted_days` (
	`day` integer PRIMARY KEY NOT NULL
);
--> statement-breakpoint
CREATE TABLE `announcements` (
	`id` text PRIMARY KEY NOT NULL,
	`audience` text NOT NULL,
	`text` text NOT NULL,
	`first_day` integer NOT NULL,
	`last_day` integer NOT NULL,
	`notified_through` text,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE INDEX `announcements_last_day` ON `announcements` (`last_day`);--> statement-breakpoint
CREATE TABLE `notes` (
	`id` text PRIMARY KEY NOT NULL,
	`subject_kind` text NOT NULL,
	`subject_id` text NOT NULL,
	`author_id` text NOT NULL,
	`text` text NOT NULL,
	`created_at` integer NOT NULL,
	`form_key` text
);
--> statement-breakpoint
CREATE UNIQUE INDEX `notes_form_key_unique` ON `notes` (`form_key`);--> statement-breakpoint
CREATE INDEX `notes_subject` ON `notes` (`subject_id`,`id`);--> statement-breakpoint
CREATE TABLE `work_claims` (
	`path` text PRIMARY KEY NOT NULL,
	`user_id` text NOT NULL,
	`taken_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `work_claims_user` ON `work_claims` (`user_id`);--> statement-breakpoint
CREATE INDEX `work_claims_taken_at` ON `work_claims` (`taken_at`);