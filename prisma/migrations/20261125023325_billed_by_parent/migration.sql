-- A parent may pay for the workspaces under it. Who pays is the parent; without one this says nothing.
ALTER TABLE "workspaces" ADD COLUMN "billed_by_parent" BOOLEAN NOT NULL DEFAULT false;
