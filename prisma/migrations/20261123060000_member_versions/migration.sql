-- Two admins who change one person's role at once: the second sees what the first has done.
ALTER TABLE "members" ADD COLUMN "version" INTEGER NOT NULL DEFAULT 1,
  ADD CONSTRAINT "members_version_counts" CHECK ("version" >= 1);
