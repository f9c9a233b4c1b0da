-- CreateTable
CREATE TABLE "sandbox_accounts" (
    "provider_account_id" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "network" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "handle" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "status" "AccountStatus" NOT NULL DEFAULT 'connected',
    "refuse_next" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sandbox_accounts_pkey" PRIMARY KEY ("provider_account_id")
);

-- CreateTable
CREATE TABLE "sandbox_people" (
    "provider_account_id" TEXT NOT NULL,
    "provider_id" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "handle" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "headline" TEXT NOT NULL,
    "invitation_id" TEXT,
    "invited_at" TIMESTAMPTZ(3),
    "connects_at" TIMESTAMPTZ(3),

    CONSTRAINT "sandbox_people_pkey" PRIMARY KEY ("provider_account_id","provider_id")
);

-- CreateTable
CREATE TABLE "sandbox_chat_messages" (
    "message_id" TEXT NOT NULL,
    "provider_account_id" TEXT NOT NULL,
    "provider_id" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "chat_id" TEXT NOT NULL,
    "direction" TEXT NOT NULL,
    "action_type" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "reference" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sandbox_chat_messages_pkey" PRIMARY KEY ("message_id")
);

-- CreateTable
CREATE TABLE "sandbox_posts" (
    "provider_post_id" TEXT NOT NULL,
    "provider_account_id" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "text" TEXT NOT NULL,
    "image" JSONB,
    "reference" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "sandbox_posts_pkey" PRIMARY KEY ("provider_post_id")
);

-- CreateIndex
CREATE INDEX "sandbox_accounts_user_id_idx" ON "sandbox_accounts"("user_id");

-- CreateIndex
CREATE INDEX "sandbox_people_user_id_idx" ON "sandbox_people"("user_id");

-- CreateIndex
CREATE INDEX "sandbox_chat_messages_provider_account_id_at_idx" ON "sandbox_chat_messages"("provider_account_id", "at");

-- CreateIndex
CREATE INDEX "sandbox_chat_messages_user_id_at_idx" ON "sandbox_chat_messages"("user_id", "at");

-- CreateIndex
CREATE INDEX "sandbox_posts_provider_account_id_at_idx" ON "sandbox_posts"("provider_account_id", "at");

-- CreateIndex
CREATE INDEX "sandbox_posts_user_id_idx" ON "sandbox_posts"("user_id");

-- AddForeignKey
ALTER TABLE "sandbox_accounts" ADD CONSTRAINT "sandbox_accounts_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sandbox_people" ADD CONSTRAINT "sandbox_people_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sandbox_chat_messages" ADD CONSTRAINT "sandbox_chat_messages_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "sandbox_posts" ADD CONSTRAINT "sandbox_posts_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;
