import { receiveUpload } from '#lib/http/mcp/upload'
import { door } from '#lib/http/route'

type Context = { params: Promise<{ grant: string }> }

export const POST = door<Context>(
  async (request, { params }) =>
    Response.json(await receiveUpload(request, (await params).grant, new Date()), { status: 200 }),
  () => ({ errors: 'flat' }),
)
