import { serveMcp } from '#lib/http/mcp/server'
import { door } from '#lib/http/route'

const handle = door<unknown>(serveMcp, () => ({ errors: 'flat', id: 'mcp' }))

export { handle as DELETE, handle as GET, handle as POST }
