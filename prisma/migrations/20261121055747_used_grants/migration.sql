-- CreateTable
CREATE TABLE "used_grants" (
    "grant_id" UUID NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "used_grants_pkey" PRIMARY KEY ("grant_id")
);

-- CreateIndex
CREATE INDEX "used_grants_expires_at_idx" ON "used_grants"("expires_at");
