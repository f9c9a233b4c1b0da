import { routes } from '#lib/http/route'
import { forecastCampaign, forecastEdit } from '#lib/operations/campaigns/forecasts'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(forecastCampaign, forecastEdit)
