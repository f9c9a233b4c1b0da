-- CreateEnum
CREATE TYPE "SocialPostStatus" AS ENUM ('draft', 'scheduled', 'publishing', 'published', 'failed');

-- CreateTable
CREATE TABLE "social_posts" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "user_id" UUID NOT NULL,
    "connected_account_id" UUID,
    "status" "SocialPostStatus" NOT NULL DEFAULT 'draft',
    "text" TEXT NOT NULL,
    "scheduled_at" TIMESTAMPTZ(3),
    "published_at" TIMESTAMPTZ(3),
    "provider_post_id" TEXT,
    "social_id" TEXT,
    "share_url" TEXT,
    "is_repost" BOOLEAN NOT NULL DEFAULT false,
    "author_name" TEXT,
    "author_id" TEXT,
    "retry_count" INTEGER NOT NULL DEFAULT 0,
    "last_error" TEXT,
    "next_attempt_at" TIMESTAMPTZ(3),
    "reference" UUID,
    "offered_at" TIMESTAMPTZ(3),
    "lease_until" TIMESTAMPTZ(3),
    "uncertain" BOOLEAN NOT NULL DEFAULT false,
    "next_check_at" TIMESTAMPTZ(3),
    "impressions" INTEGER NOT NULL DEFAULT 0,
    "reactions" INTEGER NOT NULL DEFAULT 0,
    "comments" INTEGER NOT NULL DEFAULT 0,
    "reposts" INTEGER NOT NULL DEFAULT 0,
    "metrics_updated_at" TIMESTAMPTZ(3),
    "next_metrics_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "social_posts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "social_post_attachments" (
    "id" UUID NOT NULL DEFAULT uuid_v7(),
    "post_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "type" TEXT NOT NULL DEFAULT 'image',
    "storage" TEXT NOT NULL,
    "location" TEXT NOT NULL,
    "filename" TEXT NOT NULL,
    "content_type" TEXT NOT NULL,
    "size_bytes" INTEGER NOT NULL,
    "width" INTEGER NOT NULL,
    "height" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "social_post_attachments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "social_post_metrics" (
    "post_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "user_id" UUID NOT NULL,
    "impressions" INTEGER,
    "reactions" INTEGER,
    "comments" INTEGER,
    "reposts" INTEGER,

    CONSTRAINT "social_post_metrics_pkey" PRIMARY KEY ("post_id","at")
);

-- CreateTable
CREATE TABLE "stray_files" (
    "storage" TEXT NOT NULL,
    "location" TEXT NOT NULL,
    "remove_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "stray_files_pkey" PRIMARY KEY ("storage","location")
);

-- CreateIndex
CREATE INDEX "social_posts_user_id_created_at_id_idx" ON "social_posts"("user_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "social_posts_connected_account_id_created_at_id_idx" ON "social_posts"("connected_account_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "social_post_attachments_post_id_idx" ON "social_post_attachments"("post_id");

-- CreateIndex
CREATE INDEX "social_post_attachments_user_id_idx" ON "social_post_attachments"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "social_post_attachments_storage_location_key" ON "social_post_attachments"("storage", "location");

-- CreateIndex
CREATE INDEX "social_post_metrics_user_id_idx" ON "social_post_metrics"("user_id");

-- CreateIndex
CREATE INDEX "stray_files_remove_at_idx" ON "stray_files"("remove_at");

-- AddForeignKey
ALTER TABLE "social_posts" ADD CONSTRAINT "social_posts_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "social_posts" ADD CONSTRAINT "social_posts_connected_account_id_fkey" FOREIGN KEY ("connected_account_id") REFERENCES "connected_accounts"("account_id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "social_post_attachments" ADD CONSTRAINT "social_post_attachments_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "social_posts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "social_post_metrics" ADD CONSTRAINT "social_post_metrics_post_id_fkey" FOREIGN KEY ("post_id") REFERENCES "social_posts"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What Prisma cannot say.
ALTER TABLE "social_posts"
  ADD CONSTRAINT "social_posts_counts_check"
    CHECK ("retry_count" >= 0 AND "impressions" >= 0 AND "reactions" >= 0 AND "comments" >= 0 AND "reposts" >= 0),
  -- A scheduled one without a time would wait for ever.
  ADD CONSTRAINT "social_posts_scheduled_check"
    CHECK ("status" <> 'scheduled' OR "next_attempt_at" IS NOT NULL),
  ADD CONSTRAINT "social_posts_uncertain_check" CHECK (NOT "uncertain" OR "status" = 'publishing');

-- What the background functions look for, each by an index that holds nothing else.
CREATE INDEX "social_posts_due" ON "social_posts" ("next_attempt_at") WHERE "status" = 'scheduled';
CREATE INDEX "social_posts_under_way" ON "social_posts" ("lease_until") WHERE "status" = 'publishing';
CREATE INDEX "social_posts_unsettled" ON "social_posts" ("next_check_at") WHERE "uncertain";
CREATE INDEX "social_posts_to_count" ON "social_posts" ("next_metrics_at") WHERE "next_metrics_at" IS NOT NULL;
-- The calendar of an owner.
CREATE INDEX "social_posts_by_day" ON "social_posts" ("user_id", (coalesce("published_at", "scheduled_at")));

-- A file goes with whatever let go of it, in the same transaction: a post, an account, an owner.
CREATE FUNCTION let_go_of_file() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO stray_files (storage, location, remove_at) VALUES (OLD.storage, OLD.location, 'epoch')
  ON CONFLICT (storage, location) DO UPDATE SET remove_at = least(stray_files.remove_at, excluded.remove_at);
  RETURN NULL;
END $$;
CREATE TRIGGER let_go_of_file AFTER DELETE ON "social_post_attachments"
  FOR EACH ROW EXECUTE FUNCTION let_go_of_file();
