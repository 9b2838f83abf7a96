-- By the size that a storage or RAM begins with: "256GB" and "256 GB UFS 3.1" are found with "256 GB".
DROP INDEX `device_variants_rom`;
--> statement-breakpoint
CREATE INDEX `device_variants_rom` ON `device_variants` (iif("rom" glob '[0-9]*', cast(replace("rom", ',', '.') as real) * iif(lower(substr(ltrim("rom", '0123456789., ' || char(160)), 1, 1)) = 't', 1048576, iif(lower(substr(ltrim("rom", '0123456789., ' || char(160)), 1, 1)) = 'm', 1, 1024)), "rom"), `category`, `brand`);
--> statement-breakpoint
DROP INDEX `device_variants_ram`;
--> statement-breakpoint
CREATE INDEX `device_variants_ram` ON `device_variants` (iif("ram" glob '[0-9]*', cast(replace("ram", ',', '.') as real) * iif(lower(substr(ltrim("ram", '0123456789., ' || char(160)), 1, 1)) = 't', 1048576, iif(lower(substr(ltrim("ram", '0123456789., ' || char(160)), 1, 1)) = 'm', 1, 1024)), "ram"), `category`, `brand`);
