-- What members write to each other about a conversation. It is never sent.
CREATE TABLE "inbox_notes" (
    "note_id" UUID NOT NULL DEFAULT uuid_v7(),
    "workspace_id" UUID NOT NULL,
    "thread_id" UUID NOT NULL,
    "user_id" UUID,
    "text" TEXT NOT NULL,
    "mentioned_ids" UUID[] NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "inbox_notes_pkey" PRIMARY KEY ("note_id")
);

CREATE INDEX "inbox_notes_workspace_id_thread_id_created_at_idx" ON "inbox_notes"("workspace_id", "thread_id", "created_at");
CREATE INDEX "inbox_notes_thread_id_idx" ON "inbox_notes"("thread_id");
CREATE INDEX "inbox_notes_user_id_idx" ON "inbox_notes"("user_id");

ALTER TABLE "inbox_notes" ADD CONSTRAINT "inbox_notes_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "inbox_notes" ADD CONSTRAINT "inbox_notes_thread_id_fkey" FOREIGN KEY ("thread_id") REFERENCES "threads"("thread_id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "inbox_notes" ADD CONSTRAINT "inbox_notes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE SET NULL ON UPDATE CASCADE;

ALTER TABLE "threads" ADD COLUMN "note_count" INTEGER NOT NULL DEFAULT 0;
