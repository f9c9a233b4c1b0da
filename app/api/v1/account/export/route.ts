import { routes } from '#lib/http/route'
import { exportAccount } from '#lib/operations/account'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(exportAccount)
