import { routes } from '#lib/http/route'
import { forecastDraft } from '#lib/operations/campaigns/forecasts'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(forecastDraft)
