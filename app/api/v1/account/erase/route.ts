import { routes } from '#lib/http/route'
import { eraseAccount } from '#lib/operations/workspaces/account'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(eraseAccount)
