import { routes } from '#lib/http/route'
import { changePassword } from '#lib/operations/account'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(changePassword)
