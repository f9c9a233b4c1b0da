import { routes } from '#lib/http/route'
import { revokeReportLink } from '#lib/operations/campaigns/report-links'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(revokeReportLink)
