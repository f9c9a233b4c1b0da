import { routes } from '#lib/http/route'
import { createPeopleDataset } from '#lib/operations/leads/people'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(createPeopleDataset)
