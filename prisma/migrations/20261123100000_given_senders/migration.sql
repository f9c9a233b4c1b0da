-- Which mailboxes and accounts a member may send from in their campaigns; admins use all. They go with the membership.
CREATE TABLE "mailbox_members" (
    "workspace_id" UUID NOT NULL,
    "mailbox_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mailbox_members_pkey" PRIMARY KEY ("mailbox_id","user_id")
);
CREATE INDEX "mailbox_members_workspace_id_user_id_idx" ON "mailbox_members"("workspace_id", "user_id");
ALTER TABLE "mailbox_members" ADD CONSTRAINT "mailbox_members_mailbox_id_fkey" FOREIGN KEY ("mailbox_id") REFERENCES "mailboxes"("mailbox_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "mailbox_members" ADD CONSTRAINT "mailbox_members_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "members"("workspace_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

CREATE TABLE "account_members" (
    "workspace_id" UUID NOT NULL,
    "account_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "account_members_pkey" PRIMARY KEY ("account_id","user_id")
);
CREATE INDEX "account_members_workspace_id_user_id_idx" ON "account_members"("workspace_id", "user_id");
ALTER TABLE "account_members" ADD CONSTRAINT "account_members_account_id_fkey" FOREIGN KEY ("account_id") REFERENCES "connected_accounts"("account_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "account_members" ADD CONSTRAINT "account_members_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "members"("workspace_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Whoever is a member already has used them all.
INSERT INTO "mailbox_members" ("workspace_id", "mailbox_id", "user_id")
  SELECT m."workspace_id", b."mailbox_id", m."user_id" FROM "members" m JOIN "mailboxes" b USING ("workspace_id") WHERE m."role" = 'member';
INSERT INTO "account_members" ("workspace_id", "account_id", "user_id")
  SELECT m."workspace_id", a."account_id", m."user_id" FROM "members" m JOIN "connected_accounts" a USING ("workspace_id") WHERE m."role" = 'member';
