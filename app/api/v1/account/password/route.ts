import { routes } from '#lib/http/route'
import { changePassword, removePassword } from '#lib/operations/workspaces/account'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(changePassword, removePassword)
