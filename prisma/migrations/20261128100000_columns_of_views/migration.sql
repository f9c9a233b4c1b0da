-- Which columns a saved view of people shows, in their order; empty: those that each person chose.
ALTER TABLE "views" ADD COLUMN "columns" TEXT[] NOT NULL DEFAULT '{}';
