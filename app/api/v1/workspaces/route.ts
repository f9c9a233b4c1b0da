import { routes } from '#lib/http/route'
import { createWorkspace, listWorkspaces } from '#lib/operations/workspaces/workspaces'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listWorkspaces, createWorkspace)
