import { readParts } from '#lib/http/parse'
import { door } from '#lib/http/route'
import { receiveUpload } from '#lib/services/files/uploads'

/** Accepts the upload its URL was created for, if the storage has no public endpoint of its own. */
export const PUT = door<RouteContext<'/files/uploads/[token]'>>(
  async (request, { params }) => {
    await receiveUpload((await params).token, (limit) => readParts(request, limit), new Date())
    return new Response(null, { status: 204 })
  },
  () => ({ errors: 'flat' }),
)
