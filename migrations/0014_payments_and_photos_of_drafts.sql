-- First, so that it is emptied first: entries of a ledger cannot be deleted while their payment is there.
CREATE TABLE `payments` (
	`order_id` text PRIMARY KEY NOT NULL,
	`amount_cents` integer NOT NULL,
	`fee_cents` integer NOT NULL,
	`created_at` integer NOT NULL,
	`pay_by` integer NOT NULL,
	`checkout_id` text,
	`charge_id` text,
	`paid_at` integer,
	`approved_at` integer,
	`settled_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payments_checkout` ON `payments` (`checkout_id`) WHERE "payments"."checkout_id" is not null;--> statement-breakpoint
CREATE INDEX `payments_unsettled` ON `payments` (`order_id`) WHERE "payments"."settled_at" is null;--> statement-breakpoint
CREATE TABLE `ledger_entries` (
	`id` text PRIMARY KEY NOT NULL,
	`order_id` text NOT NULL,
	`kind` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`provider_id` text NOT NULL,
	`created_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `ledger_entries_once` ON `ledger_entries` (`kind`,`provider_id`);--> statement-breakpoint
CREATE INDEX `ledger_entries_order` ON `ledger_entries` (`order_id`,`id`);--> statement-breakpoint
CREATE INDEX `ledger_entries_created` ON `ledger_entries` (`created_at`);--> statement-breakpoint
CREATE TABLE `payment_tasks` (
	`id` text PRIMARY KEY NOT NULL,
	`order_id` text NOT NULL,
	`kind` text NOT NULL,
	`amount_cents` integer NOT NULL,
	`cause` text NOT NULL,
	`created_at` integer NOT NULL,
	`done_at` integer,
	`provider_id` text,
	`attempts` integer DEFAULT 0 NOT NULL,
	`error` text,
	`next_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payment_tasks_one_open` ON `payment_tasks` (`order_id`) WHERE "payment_tasks"."done_at" is null;--> statement-breakpoint
CREATE INDEX `payment_tasks_order` ON `payment_tasks` (`order_id`,`id`);--> statement-breakpoint
CREATE INDEX `payment_tasks_next` ON `payment_tasks` (`next_at`) WHERE "payment_tasks"."done_at" is null;--> statement-breakpoint
CREATE TABLE `payout_accounts` (
	`user_id` text PRIMARY KEY NOT NULL,
	`account_id` text NOT NULL,
	`state` text NOT NULL,
	`updated_at` integer NOT NULL,
	FOREIGN KEY (`user_id`) REFERENCES `users`(`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `payout_accounts_account` ON `payout_accounts` (`account_id`);--> statement-breakpoint
CREATE TABLE `provider_events` (
	`id` text PRIMARY KEY NOT NULL,
	`type` text NOT NULL,
	`object_id` text NOT NULL,
	`received_at` integer NOT NULL,
	`processed_at` integer
);
--> statement-breakpoint
CREATE INDEX `provider_events_waiting` ON `provider_events` (`received_at`) WHERE "provider_events"."processed_at" is null;--> statement-breakpoint
CREATE INDEX `provider_events_processed` ON `provider_events` (`processed_at`) WHERE "provider_events"."processed_at" is not null;--> statement-breakpoint
ALTER TABLE `photos` ADD `draft_id` text;--> statement-breakpoint
CREATE UNIQUE INDEX `photos_draft` ON `photos` (`draft_id`,`digest`) WHERE "photos"."draft_id" is not null;--> statement-breakpoint
CREATE TRIGGER `ledger_entry_changed` BEFORE UPDATE ON `ledger_entries`
BEGIN
	SELECT raise(ABORT, 'ledger entries are never changed');
END;--> statement-breakpoint
CREATE TRIGGER `ledger_entry_deleted` BEFORE DELETE ON `ledger_entries`
WHEN EXISTS (SELECT 1 FROM `payments` WHERE `payments`.`order_id` = OLD.`order_id`)
BEGIN
	SELECT raise(ABORT, 'ledger entries are never deleted');
END;
