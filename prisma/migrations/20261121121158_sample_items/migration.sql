-- CreateTable
CREATE TABLE "sample_items" (
    "kind" TEXT NOT NULL,
    "item_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sample_items_pkey" PRIMARY KEY ("kind","item_id")
);

-- CreateIndex
CREATE INDEX "sample_items_user_id_idx" ON "sample_items"("user_id");

-- AddForeignKey
ALTER TABLE "sample_items" ADD CONSTRAINT "sample_items_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;
