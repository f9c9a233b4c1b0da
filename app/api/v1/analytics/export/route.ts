import { routes } from '#lib/http/route'
import { exportWorkspaceAnalytics } from '#lib/operations/campaigns/results'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(exportWorkspaceAnalytics)
