import { routes } from '#lib/http/route'
import { prepareErasure } from '#lib/operations/workspaces/account'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(prepareErasure)
