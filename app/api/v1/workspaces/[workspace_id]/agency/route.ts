import { routes } from '#lib/http/route'
import { readAgency, updateAgency } from '#lib/operations/workspaces/agency'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readAgency, updateAgency)
