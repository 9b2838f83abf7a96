-- The words of reasons become codes.
UPDATE `content_reports` SET `reason` = coalesce(
  (SELECT value FROM json_each('{"Stolen or counterfeit": "stolen", "Wrong or misleading description": "misleading", "Asks for payment outside what we agreed": "other payment", "Offensive or personal content": "offensive", "Duplicate or spam": "duplicate", "Something else": "something else", "Fraud or attempted fraud": "fraud", "Pretends to be someone else": "impersonation", "Offensive behavior": "offensive behavior", "Spam": "spam", "Not about this purchase": "not of purchase", "False or paid for": "false review", "Threats or harassment": "threats"}') WHERE key = `content_reports`.`reason`),
  'something else'
);--> statement-breakpoint
UPDATE `notifications` SET `details` = json_set(`details`, '$.urgent', coalesce(
  (SELECT value FROM json_each('{"Stolen or counterfeit": "stolen", "Wrong or misleading description": "misleading", "Asks for payment outside what we agreed": "other payment", "Offensive or personal content": "offensive", "Duplicate or spam": "duplicate", "Something else": "something else", "Fraud or attempted fraud": "fraud", "Pretends to be someone else": "impersonation", "Offensive behavior": "offensive behavior", "Spam": "spam", "Not about this purchase": "not of purchase", "False or paid for": "false review", "Threats or harassment": "threats"}') WHERE key = `notifications`.`details` ->> 'urgent'),
  `details` ->> 'urgent'
)) WHERE `kind` = 'urgent case';
