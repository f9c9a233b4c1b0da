-- New leads of a campaign may be spread over the members whom its senders are given to.
CREATE TYPE "SenderRotation" AS ENUM ('senders', 'members');
ALTER TABLE "campaigns" ADD COLUMN "sender_rotation" "SenderRotation" NOT NULL DEFAULT 'senders',
ADD COLUMN "member_shares" JSONB NOT NULL DEFAULT '{}';
