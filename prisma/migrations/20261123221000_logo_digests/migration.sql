-- So that no page reads a logo's bytes for its address.
ALTER TABLE "workspace_brandings" ADD COLUMN "logo_digest" TEXT;
UPDATE "workspace_brandings" SET "logo_digest" = left(encode(sha256("logo"), 'hex'), 16) WHERE "logo" IS NOT NULL;
