-- CreateTable
CREATE TABLE "ramp_days" (
    "mailbox_id" UUID NOT NULL,
    "local_date" DATE NOT NULL,
    "workspace_id" UUID NOT NULL,
    "allowed" INTEGER NOT NULL,
    "verdict" TEXT NOT NULL,
    "cause" TEXT,
    "rises_after" DATE NOT NULL,
    "judged_from" DATE NOT NULL,
    "evidence" JSONB NOT NULL,

    CONSTRAINT "ramp_days_pkey" PRIMARY KEY ("mailbox_id","local_date")
);

-- CreateIndex
CREATE INDEX "ramp_days_workspace_id_idx" ON "ramp_days"("workspace_id");

-- AddForeignKey
ALTER TABLE "ramp_days" ADD CONSTRAINT "ramp_days_mailbox_id_fkey" FOREIGN KEY ("mailbox_id") REFERENCES "mailboxes"("mailbox_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ramp_days" ADD CONSTRAINT "ramp_days_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;
