import { routes } from '#lib/http/route'
import { listConnectedAccounts } from '#lib/operations/connected-accounts'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listConnectedAccounts)
