ALTER TABLE `notifications` ADD `email_outcome` text;--> statement-breakpoint
-- A write may have 32 conditions: see app/db/expectations.server.ts. libSQL accepts literal messages only.
DROP TRIGGER `expectation_failed`;
--> statement-breakpoint
CREATE TRIGGER `expectation_failed` INSTEAD OF INSERT ON `expectations` WHEN NOT coalesce(NEW.`holds`, 0) BEGIN
	SELECT CASE NEW.`number`
		WHEN 0 THEN raise(ABORT, 'expectation 0 failed')
		WHEN 1 THEN raise(ABORT, 'expectation 1 failed')
		WHEN 2 THEN raise(ABORT, 'expectation 2 failed')
		WHEN 3 THEN raise(ABORT, 'expectation 3 failed')
		WHEN 4 THEN raise(ABORT, 'expectation 4 failed')
		WHEN 5 THEN raise(ABORT, 'expectation 5 failed')
		WHEN 6 THEN raise(ABORT, 'expectation 6 failed')
		WHEN 7 THEN raise(ABORT, 'expectation 7 failed')
		WHEN 8 THEN raise(ABORT, 'expectation 8 failed')
		WHEN 9 THEN raise(ABORT, 'expectation 9 failed')
		WHEN 10 THEN raise(ABORT, 'expectation 10 failed')
		WHEN 11 THEN raise(ABORT, 'expectation 11 failed')
		WHEN 12 THEN raise(ABORT, 'expectation 12 failed')
		WHEN 13 THEN raise(ABORT, 'expectation 13 failed')
		WHEN 14 THEN raise(ABORT, 'expectation 14 failed')
		WHEN 15 THEN raise(ABORT, 'expectation 15 failed')
		WHEN 16 THEN raise(ABORT, 'expectation 16 failed')
		WHEN 17 THEN raise(ABORT, 'expectation 17 failed')
		WHEN 18 THEN raise(ABORT, 'expectation 18 failed')
		WHEN 19 THEN raise(ABORT, 'expectation 19 failed')
		WHEN 20 THEN raise(ABORT, 'expectation 20 failed')
		WHEN 21 THEN raise(ABORT, 'expectation 21 failed')
		WHEN 22 THEN raise(ABORT, 'expectation 22 failed')
		WHEN 23 THEN raise(ABORT, 'expectation 23 failed')
		WHEN 24 THEN raise(ABORT, 'expectation 24 failed')
		WHEN 25 THEN raise(ABORT, 'expectation 25 failed')
		WHEN 26 THEN raise(ABORT, 'expectation 26 failed')
		WHEN 27 THEN raise(ABORT, 'expectation 27 failed')
		WHEN 28 THEN raise(ABORT, 'expectation 28 failed')
		WHEN 29 THEN raise(ABORT, 'expectation 29 failed')
		WHEN 30 THEN raise(ABORT, 'expectation 30 failed')
		ELSE raise(ABORT, 'expectation 31 failed')
	END;
END;
