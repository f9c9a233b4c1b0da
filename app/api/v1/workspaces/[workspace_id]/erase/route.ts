import { routes } from '#lib/http/route'
import { eraseWorkspace } from '#lib/operations/workspaces/workspaces'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(eraseWorkspace)
