import { routes } from '#lib/http/route'
import { readAccount, updateAccount } from '#lib/operations/workspaces/account'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readAccount, updateAccount)
