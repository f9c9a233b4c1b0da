-- A mailbox is never told to be disconnected any more: it is failing, with a cause, and is tried again by itself. One whose
-- password was refused before this is failing from here on. A type cannot lose a value, so another takes its place.
ALTER TABLE "mailboxes"
  ADD COLUMN "failing_cause" TEXT,
  ADD COLUMN "failing_since" TIMESTAMPTZ(3),
  ADD COLUMN "failing_tries" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "next_try_at" TIMESTAMPTZ(3);
UPDATE "mailboxes" SET "failing_cause" = 'sign_in', "failing_tries" = 1, "next_try_at" = now(),
  "failing_since" = coalesce("last_checked_at", "updated_at")
  WHERE "status" = 'disconnected';

DROP TRIGGER tell_of_mailbox ON "mailboxes";
CREATE TYPE "MailboxStatus_new" AS ENUM ('connected', 'failing');
ALTER TABLE "mailboxes" ALTER COLUMN "status" DROP DEFAULT,
  ALTER COLUMN "status" TYPE "MailboxStatus_new"
    USING (CASE "status"::text WHEN 'disconnected' THEN 'failing' ELSE "status"::text END::"MailboxStatus_new");
ALTER TABLE "mailboxes" ALTER COLUMN "status" SET DEFAULT 'connected';
DROP TYPE "MailboxStatus";
ALTER TYPE "MailboxStatus_new" RENAME TO "MailboxStatus";

ALTER TYPE "AccountStatus" ADD VALUE 'failing' BEFORE 'disconnected';
ALTER TABLE "connected_accounts"
  ADD COLUMN "failing_cause" TEXT,
  ADD COLUMN "failing_since" TIMESTAMPTZ(3),
  ADD COLUMN "failing_tries" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "next_try_at" TIMESTAMPTZ(3);

-- As text, since a value that this very migration adds cannot be named yet.
ALTER TABLE "mailboxes" ADD CONSTRAINT "mailboxes_failing" CHECK (("status"::text = 'failing') =
  ("failing_cause" IS NOT NULL AND "failing_since" IS NOT NULL AND  "next_try_at" IS NOT NULL));
ALTER TABLE "connected_accounts" ADD CONSTRAINT "connected_accounts_failing" CHECK (("status"::text = 'failing') =
  ("failing_cause" IS NOT NULL AND "failing_since" IS NOT NULL AND  "next_try_at" IS NOT NULL));

-- Once per outage; one that comes and goes while its owner has not read of it yet is told of once.
CREATE FUNCTION tell_of_failing_mailbox() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF webhook_asks(NEW.user_id, 'mailbox.disconnected') THEN
    INSERT INTO webhook_events (user_id, type, at, data) VALUES (NEW.user_id, 'mailbox.disconnected', now(),
      jsonb_build_object('mailbox_id', NEW.mailbox_id, 'address', NEW.address, 'error', NEW.last_error,
        'cause', NEW.failing_cause));
  END IF;
  IF NOT EXISTS (SELECT 1 FROM notifications WHERE user_id = NEW.user_id AND kind = 'mailbox_failing'
      AND mailbox_id = NEW.mailbox_id AND read_at IS NULL AND created_at > now() - interval '6 hours') THEN
    INSERT INTO notifications (user_id, kind, mailbox_id, data) VALUES (NEW.user_id, 'mailbox_failing', NEW.mailbox_id,
      jsonb_build_object('address', NEW.address, 'reason', left(NEW.last_error, 500)));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER tell_of_failing_mailbox AFTER UPDATE OF "status" ON "mailboxes"
  FOR EACH ROW WHEN (OLD.status = 'connected' AND NEW.status = 'failing') EXECUTE FUNCTION tell_of_failing_mailbox();
DROP FUNCTION tell_of_mailbox();

CREATE FUNCTION tell_of_failing_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM notifications WHERE user_id = NEW.user_id AND kind = 'account_failing'
      AND data->>'account_id' = NEW.account_id::text AND read_at IS NULL AND created_at > now() - interval '6 hours') THEN
    INSERT INTO notifications (user_id, kind, data) VALUES (NEW.user_id, 'account_failing',
      jsonb_build_object('name', NEW.name, 'address', NEW.name, 'reason', left(NEW.status_reason, 500),
        'account_id', NEW.account_id));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER tell_of_failing_account AFTER UPDATE OF "status" ON "connected_accounts"
  FOR EACH ROW WHEN (OLD.status::text = 'connected' AND NEW.status::text = 'failing')
  EXECUTE FUNCTION tell_of_failing_account();

-- One that was failing before it was lost is lost all the same.
DROP TRIGGER tell_of_account ON "connected_accounts";
CREATE TRIGGER tell_of_account AFTER UPDATE OF "status" ON "connected_accounts"
  FOR EACH ROW WHEN (OLD.status::text <> 'disconnected' AND NEW.status::text = 'disconnected')
  EXECUTE FUNCTION tell_of_account();
