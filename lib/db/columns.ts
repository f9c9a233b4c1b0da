import { Prisma } from '#lib/db/generated/client'

// Never `*`: Postgres refuses a prepared statement whose result gained a column by a migration.
export const CAMPAIGN_COLUMNS = Object.values(Prisma.CampaignScalarFieldEnum).join(', ')
