import { routes } from '#lib/http/route'
import { readProviderAnalytics } from '#lib/operations/campaigns/results'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readProviderAnalytics)
