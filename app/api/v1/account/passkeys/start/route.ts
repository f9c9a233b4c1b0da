import { routes } from '#lib/http/route'
import { startPasskey } from '#lib/operations/workspaces/passkeys'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(startPasskey)
