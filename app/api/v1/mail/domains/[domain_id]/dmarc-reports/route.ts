import { routes } from '#lib/http/route'
import { addDmarcReports, readDmarcReports } from '#lib/operations/domains/dmarc-reports'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readDmarcReports, addDmarcReports)
