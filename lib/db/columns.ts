import { Prisma } from '#lib/db/generated/client'

// Named, never `*`: a statement that was prepared before a migration added a column would be refused after it.
export const CAMPAIGN_COLUMNS = Object.values(Prisma.CampaignScalarFieldEnum).join(', ')
