-- The history of orders that were placed before there was one. A key tells its row's age, so a step that an order
-- or its cancellation tells of takes theirs.
INSERT INTO `order_steps` (`id`, `order_id`, `kind`, `actor_id`, `created_at`)
SELECT `id`, `id`, 'reserved', `buyer_id`, `created_at` FROM `bookings`;
--> statement-breakpoint
INSERT INTO `order_steps` (`id`, `order_id`, `kind`, `actor_id`, `created_at`)
SELECT `id`, `target_id`, 'cancelled', `actor_id`, `created_at` FROM `removals`
WHERE `kind` = 'order' AND `undone_at` IS NULL AND `target_id` IN (SELECT `id` FROM `bookings`);
