-- Open once outside of its windows, because somebody said so: from when until when.
ALTER TABLE "campaigns" ADD COLUMN "open_from" TIMESTAMPTZ(3), ADD COLUMN "open_until" TIMESTAMPTZ(3);
