-- How a workspace shows itself to its clients. Without a row, as the product does.
CREATE TABLE "workspace_brandings" (
  "workspace_id" UUID NOT NULL,
  "name" TEXT,
  "accent" CHAR(7),
  "logo" BYTEA,
  "logo_type" TEXT,
  "sender_name" TEXT,
  "reply_to" TEXT,
  "version" INTEGER NOT NULL DEFAULT 1,
  "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  CONSTRAINT "workspace_brandings_pkey" PRIMARY KEY ("workspace_id"),
  CONSTRAINT "workspace_brandings_logo" CHECK (("logo" IS NULL) = ("logo_type" IS NULL) AND octet_length("logo") <= 262144),
  CONSTRAINT "workspace_brandings_accent" CHECK ("accent" ~ '^#[0-9a-f]{6}$')
);
ALTER TABLE "workspace_brandings" ADD CONSTRAINT "workspace_brandings_workspace_id_fkey"
  FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;
