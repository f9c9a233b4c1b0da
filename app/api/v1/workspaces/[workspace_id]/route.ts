import { routes } from '#lib/http/route'
import { readWorkspace, updateWorkspace } from '#lib/operations/workspaces/workspaces'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readWorkspace, updateWorkspace)
