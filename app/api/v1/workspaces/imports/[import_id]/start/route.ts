import { routes } from '#lib/http/route'
import { startWorkspaceImport } from '#lib/operations/workspaces/imports'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(startWorkspaceImport)
