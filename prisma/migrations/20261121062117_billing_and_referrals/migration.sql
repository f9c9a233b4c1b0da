-- AlterTable
ALTER TABLE "users" ADD COLUMN     "billing_customer_id" TEXT,
ADD COLUMN     "current_period_end" TIMESTAMPTZ(3),
ADD COLUMN     "extra_api_keys" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "referral_code" TEXT,
ADD COLUMN     "subscription_cancels" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "subscription_status" TEXT;

-- CreateTable
CREATE TABLE "referrals" (
    "user_id" UUID NOT NULL,
    "referrer_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "referrals_pkey" PRIMARY KEY ("user_id")
);

-- CreateIndex
CREATE INDEX "referrals_referrer_id_idx" ON "referrals"("referrer_id");

-- CreateIndex
CREATE UNIQUE INDEX "users_referral_code_key" ON "users"("referral_code");

-- CreateIndex
CREATE UNIQUE INDEX "users_billing_customer_id_key" ON "users"("billing_customer_id");

-- AddForeignKey
ALTER TABLE "referrals" ADD CONSTRAINT "referrals_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "referrals" ADD CONSTRAINT "referrals_referrer_id_fkey" FOREIGN KEY ("referrer_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;
