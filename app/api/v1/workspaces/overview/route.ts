import { routes } from '#lib/http/route'
import { listWorkspaceOverviews } from '#lib/operations/workspaces/overview'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listWorkspaceOverviews)
