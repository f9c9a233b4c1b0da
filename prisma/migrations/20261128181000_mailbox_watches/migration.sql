-- CreateTable
CREATE TABLE "mailbox_watches" (
    "mailbox_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL,
    "address" TEXT NOT NULL,
    "subscription_id" TEXT,
    "expires_at" TIMESTAMPTZ(3),
    "renew_at" TIMESTAMPTZ(3) NOT NULL,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "said" TEXT,

    CONSTRAINT "mailbox_watches_pkey" PRIMARY KEY ("mailbox_id")
);

-- CreateIndex
CREATE INDEX "mailbox_watches_workspace_id_idx" ON "mailbox_watches"("workspace_id");

-- CreateIndex
CREATE INDEX "mailbox_watches_address_idx" ON "mailbox_watches"("address");

-- AddForeignKey
ALTER TABLE "mailbox_watches" ADD CONSTRAINT "mailbox_watches_mailbox_id_fkey" FOREIGN KEY ("mailbox_id") REFERENCES "mailboxes"("mailbox_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mailbox_watches" ADD CONSTRAINT "mailbox_watches_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;
