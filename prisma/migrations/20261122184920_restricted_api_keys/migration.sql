-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "allowed_networks" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "last_used_place" TEXT,
ADD COLUMN     "permissions" JSONB,
ADD COLUMN     "replaced_by" UUID,
ADD COLUMN     "version" INTEGER NOT NULL DEFAULT 1;

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_replaced_by_key" ON "api_keys"("replaced_by");

ALTER TABLE "api_keys"
  ADD CONSTRAINT "api_keys_permissions" CHECK (permissions IS NULL OR jsonb_typeof(permissions) = 'object'),
  ADD CONSTRAINT "api_keys_allowed_networks" CHECK (allowed_networks IS NOT NULL AND cardinality(allowed_networks) <= 50),
  ADD CONSTRAINT "api_keys_replaced_by" CHECK (replaced_by <> id);
