import { routes } from '#lib/http/route'
import { createReportLink, listReportLinks } from '#lib/operations/campaigns/report-links'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listReportLinks, createReportLink)
