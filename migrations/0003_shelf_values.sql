CREATE TABLE `shelf_values` (
	`number` integer PRIMARY KEY NOT NULL,
	`shelf` text NOT NULL,
	`kind` text NOT NULL,
	`value` text NOT NULL,
	`count` integer NOT NULL,
	`token` text GENERATED ALWAYS AS (char(62028 + ("number" >> 12), 57344 + ("number" & 4095))) VIRTUAL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `shelf_values_value` ON `shelf_values` (`shelf`,`kind`,`value`);--> statement-breakpoint
CREATE INDEX `shelf_values_count` ON `shelf_values` (`shelf`,`kind`,`count`);--> statement-breakpoint
ALTER TABLE `phones` ADD `number` integer;--> statement-breakpoint
CREATE UNIQUE INDEX `phones_number` ON `phones` (`number`);