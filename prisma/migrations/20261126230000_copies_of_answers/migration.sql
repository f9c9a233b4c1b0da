-- Whom an answer goes to besides, in its Cc and its Bcc. Of what came in the Cc, from now on.
ALTER TABLE "inbox_messages" ADD COLUMN "cc" TEXT[] DEFAULT ARRAY[]::TEXT[], ADD COLUMN "bcc" TEXT[] DEFAULT ARRAY[]::TEXT[];
ALTER TABLE "inbox_drafts" ADD COLUMN "cc" TEXT[] DEFAULT ARRAY[]::TEXT[], ADD COLUMN "bcc" TEXT[] DEFAULT ARRAY[]::TEXT[];
