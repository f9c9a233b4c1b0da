import { routes } from '#lib/http/route'
import { readWorkspaceImport } from '#lib/operations/workspaces/imports'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readWorkspaceImport)
