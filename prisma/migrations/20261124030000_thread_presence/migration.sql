-- Who has a conversation open or writes in it, as said within the last minute. Nothing depends on it; the sweep removes what is over.
CREATE TABLE "thread_presence" (
  "workspace_id" UUID NOT NULL,
  "thread_id" UUID NOT NULL,
  "user_id" UUID NOT NULL,
  "seen_at" TIMESTAMPTZ(3) NOT NULL,
  "typing_at" TIMESTAMPTZ(3),
  CONSTRAINT "thread_presence_pkey" PRIMARY KEY ("workspace_id", "thread_id", "user_id"),
  CONSTRAINT "thread_presence_thread_id_fkey" FOREIGN KEY ("thread_id") REFERENCES "threads"("thread_id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "thread_presence_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "members"("workspace_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "thread_presence_workspace_id_user_id_idx" ON "thread_presence"("workspace_id", "user_id");
CREATE INDEX "thread_presence_thread_id_idx" ON "thread_presence"("thread_id");
