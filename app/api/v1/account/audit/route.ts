import { routes } from '#lib/http/route'
import { listAuditEvents } from '#lib/operations/workspaces/audit'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listAuditEvents)
