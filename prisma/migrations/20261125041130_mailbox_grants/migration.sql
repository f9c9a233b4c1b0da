-- What Google or Microsoft granted for a mailbox, instead of a password. Both tokens are sealed for their row alone.
CREATE TABLE "mailbox_grants" (
    "mailbox_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "vendor" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "refresh_token" TEXT NOT NULL,
    "access_token" TEXT,
    "access_expires_at" TIMESTAMPTZ(3),
    "granted_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "refreshed_at" TIMESTAMPTZ(3),
    "ended_cause" TEXT,
    "ended_said" TEXT,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "mailbox_grants_pkey" PRIMARY KEY ("mailbox_id")
);
CREATE INDEX "mailbox_grants_workspace_id_idx" ON "mailbox_grants"("workspace_id");
ALTER TABLE "mailbox_grants" ADD CONSTRAINT "mailbox_grants_mailbox_id_fkey" FOREIGN KEY ("mailbox_id") REFERENCES "mailboxes"("mailbox_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "mailbox_grants" ADD CONSTRAINT "mailbox_grants_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "mailbox_grants" ADD CONSTRAINT "mailbox_grants_vendor" CHECK (vendor IN ('google', 'microsoft', 'sandbox'));
ALTER TABLE "mailbox_grants" ADD CONSTRAINT "mailbox_grants_ended" CHECK ((ended_cause IS NULL) = (ended_at IS NULL));
