import { routes } from '#lib/http/route'
import { readAccount, updateAccount } from '#lib/operations/account'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readAccount, updateAccount)
