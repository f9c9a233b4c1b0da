import { routes } from '#lib/http/route'
import { createWorkspaceImport } from '#lib/operations/workspaces/imports'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(createWorkspaceImport)
