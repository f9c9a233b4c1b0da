import { routes } from '#lib/http/route'
import { removeSamples } from '#lib/operations/sandbox/samples'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(removeSamples)
