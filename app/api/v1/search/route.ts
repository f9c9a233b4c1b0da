import { routes } from '#lib/http/route'
import { search } from '#lib/operations/workspaces/search'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(search)
