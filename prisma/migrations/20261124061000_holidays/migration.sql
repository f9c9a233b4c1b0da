-- Whose public holidays a campaign skips; a region only of a country.
ALTER TABLE "campaigns" ADD COLUMN "holiday_country" TEXT,
  ADD COLUMN "holiday_region" TEXT,
  ADD CONSTRAINT "campaigns_holidays" CHECK (holiday_region IS NULL OR holiday_country IS NOT NULL);
