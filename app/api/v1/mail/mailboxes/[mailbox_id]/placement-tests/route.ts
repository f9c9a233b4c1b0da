import { routes } from '#lib/http/route'
import { createPlacementTests, readPlacementTests } from '#lib/operations/senders/placement-tests'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readPlacementTests, createPlacementTests)
