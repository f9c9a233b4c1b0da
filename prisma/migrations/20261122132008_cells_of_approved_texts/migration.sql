-- What an approved text was made from, cell by cell: other cells of the row may change. Texts approved before this sealed
-- the whole row, and keep their seals; which of its cells matter is worked out from their claims and words.
ALTER TABLE "generations" ADD COLUMN "approved_cells" JSONB;
