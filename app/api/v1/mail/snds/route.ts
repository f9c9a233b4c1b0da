import { routes } from '#lib/http/route'
import { connectSnds, disconnectSnds, readSnds } from '#lib/operations/domains/snds'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readSnds, connectSnds, disconnectSnds)
