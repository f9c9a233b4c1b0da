-- Why a campaign is paused was text; only these six were ever written. What is none of them reads as its owner's pause, and what
-- stands in a campaign only while it is paused goes where it is not.
CREATE TYPE "PauseReason" AS ENUM ('user', 'personalization_review_pending', 'bounce_rate', 'complaint_rate', 'sender_disconnected', 'restored');

ALTER TABLE "campaigns" ALTER COLUMN "paused_reason" TYPE "PauseReason" USING (CASE
  WHEN "status" <> 'paused' OR "paused_reason" IS NULL THEN NULL
  WHEN "paused_reason" = ANY (enum_range(NULL::"PauseReason")::text[]) THEN "paused_reason"::"PauseReason"
  ELSE 'user' END);

-- What is told of campaigns is told by whoever writes their state, lib/services/campaigns/state.ts.
DROP TRIGGER tell_of_campaign ON "campaigns";
DROP FUNCTION tell_of_campaign();
