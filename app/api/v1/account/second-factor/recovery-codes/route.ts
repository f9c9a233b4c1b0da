import { routes } from '#lib/http/route'
import { replaceRecoveryCodes } from '#lib/operations/workspaces/second-factor'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(replaceRecoveryCodes)
