import { routes } from '#lib/http/route'
import { exportPeople } from '#lib/operations/leads/people'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(exportPeople)
