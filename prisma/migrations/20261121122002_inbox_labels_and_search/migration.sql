-- AlterTable
ALTER TABLE "inbox_messages" ADD COLUMN     "server_message_id" TEXT;

-- CreateTable
CREATE TABLE "inbox_labels" (
    "label_id" UUID NOT NULL DEFAULT uuid_v7(),
    "user_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "color" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "inbox_labels_pkey" PRIMARY KEY ("label_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "inbox_labels_user_id_name_key" ON "inbox_labels"("user_id", "name");

-- CreateIndex
CREATE INDEX "inbox_messages_user_id_server_message_id_idx" ON "inbox_messages"("user_id", "server_message_id");

-- AddForeignKey
ALTER TABLE "inbox_labels" ADD CONSTRAINT "inbox_labels_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- The words of a text and of a search, read by one parser: what stands between words of an address or a path counts as
-- a gap. Cut, since a tsvector holds at most 1 MB.
CREATE FUNCTION "search_words"(text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN to_tsvector('pg_catalog.simple'::regconfig, translate(left($1, 100000), '@.-_/+:=&\''', '           '));

-- Every word of a search, as the beginning of a word; null where it has none.
CREATE FUNCTION "search_query"(text) RETURNS tsquery LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (SELECT string_agg('''' || lexeme || ''':*', ' & ') FROM unnest("search_words"($1)))::tsquery;

CREATE INDEX "inbox_messages_words" ON "inbox_messages" USING gin ("search_words"("subject" || ' ' || "text"));
CREATE INDEX "threads_words" ON "threads"
  USING gin ("search_words"("subject" || ' ' || "counterpart_address" || ' ' || coalesce("counterpart_name", '')));

-- What is open, and the counts beside the folders and labels.
CREATE INDEX "threads_open" ON "threads"("user_id", "last_message_at") WHERE "status" = 'open';
CREATE INDEX "threads_labelled" ON "threads"("user_id") WHERE "labels" <> '{}';
