-- AlterTable
ALTER TABLE "mail_connections" ADD COLUMN     "mailbox_id" UUID;

-- CreateIndex
CREATE UNIQUE INDEX "mail_connections_mailbox_id_key" ON "mail_connections"("mailbox_id");

-- AddForeignKey
ALTER TABLE "mail_connections" ADD CONSTRAINT "mail_connections_mailbox_id_fkey" FOREIGN KEY ("mailbox_id") REFERENCES "mailboxes"("mailbox_id") ON DELETE CASCADE ON UPDATE CASCADE;
