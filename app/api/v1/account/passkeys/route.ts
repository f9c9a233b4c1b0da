import { routes } from '#lib/http/route'
import { addPasskey, listPasskeys } from '#lib/operations/workspaces/passkeys'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listPasskeys, addPasskey)
