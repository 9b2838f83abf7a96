ALTER TABLE `sent_emails` ADD `sent_at` integer;--> statement-breakpoint
UPDATE `sent_emails` SET `sent_at` = `created_at`;
