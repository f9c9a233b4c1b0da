import { routes } from '#lib/http/route'
import { removePasskey, renamePasskey } from '#lib/operations/workspaces/passkeys'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(renamePasskey, removePasskey)
