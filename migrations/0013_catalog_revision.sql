ALTER TABLE `revisions` RENAME COLUMN `mark` TO `revision`;
