CREATE TABLE `listed_counts` (
	`facet` text NOT NULL,
	`value` text NOT NULL,
	`category` text NOT NULL,
	`listed` integer NOT NULL,
	PRIMARY KEY(`facet`, `value`, `category`)
);
--> statement-breakpoint
INSERT INTO `listed_counts` (`facet`, `value`, `category`, `listed`)
	SELECT 'all', '', `category`, sum(`listed`) FROM `device_variants` GROUP BY `category`
	UNION ALL SELECT 'brand', `brand`, `category`, sum(`listed`) FROM `device_variants` GROUP BY `brand`, `category`
	UNION ALL SELECT 'rom', `rom`, `category`, sum(`listed`) FROM `device_variants` GROUP BY `rom`, `category`
	UNION ALL SELECT 'ram', `ram`, `category`, sum(`listed`) FROM `device_variants` GROUP BY `ram`, `category`;
--> statement-breakpoint
CREATE TRIGGER `variant_counted` AFTER UPDATE OF `listed` ON `device_variants` BEGIN
	INSERT INTO `listed_counts` (`facet`, `value`, `category`, `listed`) VALUES
		('all', '', NEW.`category`, NEW.`listed` - OLD.`listed`),
		('brand', NEW.`brand`, NEW.`category`, NEW.`listed` - OLD.`listed`),
		('rom', NEW.`rom`, NEW.`category`, NEW.`listed` - OLD.`listed`),
		('ram', NEW.`ram`, NEW.`category`, NEW.`listed` - OLD.`listed`)
	ON CONFLICT (`facet`, `value`, `category`) DO UPDATE SET `listed` = `listed` + excluded.`listed`;
END;
