import { routes } from '#lib/http/route'
import { createPlacementTests, listPlacementTests } from '#lib/operations/senders/placement-tests'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listPlacementTests, createPlacementTests)
