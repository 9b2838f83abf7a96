ALTER TABLE `account_emails` ADD `email_outcome` text;--> statement-breakpoint
ALTER TABLE `report_messages` ADD `email_outcome` text;--> statement-breakpoint
UPDATE `report_messages` SET `email_outcome` = 'sent' WHERE `email_done_at` IS NOT NULL;
