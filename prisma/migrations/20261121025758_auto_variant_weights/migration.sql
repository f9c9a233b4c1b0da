-- AlterTable
ALTER TABLE "campaigns" ADD COLUMN     "auto_variant_weights" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "variant_weights_at" TIMESTAMPTZ(3);
