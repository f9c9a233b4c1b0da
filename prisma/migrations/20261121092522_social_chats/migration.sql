-- DropIndex
DROP INDEX "threads_campaign_lead_id_key";

-- AlterTable
ALTER TABLE "campaign_leads" ADD COLUMN     "social_provider_id" TEXT;

-- AlterTable
ALTER TABLE "inbox_messages" ADD COLUMN     "connected_account_id" UUID,
ADD COLUMN     "provider_message_id" TEXT;

-- AlterTable
ALTER TABLE "threads" ADD COLUMN     "channel" TEXT NOT NULL DEFAULT 'email',
ADD COLUMN     "chat_id" TEXT,
ADD COLUMN     "connected_account_id" UUID,
ADD COLUMN     "social_provider_id" TEXT;

-- CreateIndex
CREATE INDEX "campaign_leads_connected_account_id_social_provider_id_idx" ON "campaign_leads"("connected_account_id", "social_provider_id");

-- CreateIndex
CREATE UNIQUE INDEX "inbox_messages_connected_account_id_provider_message_id_key" ON "inbox_messages"("connected_account_id", "provider_message_id");

-- CreateIndex
CREATE INDEX "threads_connected_account_id_social_provider_id_idx" ON "threads"("connected_account_id", "social_provider_id");

-- CreateIndex
CREATE UNIQUE INDEX "threads_campaign_lead_id_channel_key" ON "threads"("campaign_lead_id", "channel");

-- CreateIndex
CREATE UNIQUE INDEX "threads_connected_account_id_chat_id_key" ON "threads"("connected_account_id", "chat_id");

-- Whoever owns an account hears that it was lost, as with mailboxes.
CREATE FUNCTION tell_of_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF webhook_asks(NEW.user_id, 'account.disconnected') THEN
    INSERT INTO webhook_events (user_id, type, at, data) VALUES (NEW.user_id, 'account.disconnected', now(),
      jsonb_build_object('account_id', NEW.account_id, 'provider', NEW.provider, 'name', NEW.name,
        'error', NEW.status_reason));
  END IF;
  INSERT INTO notifications (user_id, kind, data) VALUES (NEW.user_id, 'account_disconnected',
    jsonb_build_object('name', NEW.name, 'address', NEW.name, 'reason', left(NEW.status_reason, 500),
      'account_id', NEW.account_id));
  RETURN NULL;
END $$;
CREATE TRIGGER tell_of_account AFTER UPDATE OF "status" ON "connected_accounts"
  FOR EACH ROW WHEN (OLD.status = 'connected' AND NEW.status = 'disconnected') EXECUTE FUNCTION tell_of_account();
