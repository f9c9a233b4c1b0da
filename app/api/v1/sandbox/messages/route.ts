import { routes } from '#lib/http/route'
import { listSandboxMessages } from '#lib/operations/sandbox/sandbox'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(listSandboxMessages)
