import { routes } from '#lib/http/route'
import { forecastDraft } from '#lib/operations/forecasts'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(forecastDraft)
