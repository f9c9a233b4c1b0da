import { routes } from '#lib/http/route'
import { readBranding, updateBranding } from '#lib/operations/workspaces/branding'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readBranding, updateBranding)
