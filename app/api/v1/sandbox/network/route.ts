import { routes } from '#lib/http/route'
import { actInSandboxNetwork } from '#lib/operations/sandbox/sandbox'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(actInSandboxNetwork)
