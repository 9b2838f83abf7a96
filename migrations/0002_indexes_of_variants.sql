DROP INDEX `device_variants_rom`;--> statement-breakpoint
DROP INDEX `device_variants_ram`;--> statement-breakpoint
DROP INDEX `device_variants_brand`;--> statement-breakpoint
CREATE INDEX `device_variants_brand` ON `device_variants` (`brand`,`category`,`rom`,`ram`);--> statement-breakpoint
-- By the size that searches compare; drizzle-kit can't express commas.
CREATE INDEX `device_variants_rom` ON `device_variants` (rtrim(lower(replace("rom", ' ', '')), 'gb'), `category`, `brand`);
--> statement-breakpoint
CREATE INDEX `device_variants_ram` ON `device_variants` (rtrim(lower(replace("ram", ' ', '')), 'gb'), `category`, `brand`);
