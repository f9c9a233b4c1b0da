import { readParts } from '#lib/http/parse'
import { door } from '#lib/http/route'
import { receiveUpload } from '#lib/services/files/uploads'

/** Takes the file that its address was made for, where the storage has no door of its own. */
export const PUT = door<RouteContext<'/files/uploads/[token]'>>(
  async (request, { params }) => {
    await receiveUpload((await params).token, (limit) => readParts(request, limit), new Date())
    return new Response(null, { status: 204 })
  },
  () => ({ errors: 'flat' }),
)
