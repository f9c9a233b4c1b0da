import { routes } from '#lib/http/route'
import { readHealth } from '#lib/operations/meta'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readHealth)
