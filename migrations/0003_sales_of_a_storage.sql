DROP INDEX `orders_sales`;--> statement-breakpoint
CREATE INDEX `orders_sales` ON `orders` (lower("product_name"),`id`) WHERE "orders"."stage" = 'received';--> statement-breakpoint
-- Sales of a model and a storage, newest first; drizzle-kit can't express commas.
CREATE INDEX `orders_sales_of_storage` ON `orders` (lower("product_name"), replace(lower("rom"), ' ', ''), `id`) WHERE "stage" = 'received';
