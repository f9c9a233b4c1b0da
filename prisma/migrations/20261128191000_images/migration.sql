-- CreateTable
CREATE TABLE "images" (
    "image_id" UUID NOT NULL DEFAULT uuid_v7(),
    "workspace_id" UUID NOT NULL,
    "digest" TEXT NOT NULL,
    "content_type" TEXT NOT NULL,
    "bytes" BYTEA NOT NULL,
    "size_bytes" INTEGER NOT NULL,
    "width" INTEGER NOT NULL,
    "height" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "images_pkey" PRIMARY KEY ("image_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "images_workspace_id_digest_key" ON "images"("workspace_id", "digest");

-- AddForeignKey
ALTER TABLE "images" ADD CONSTRAINT "images_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;
