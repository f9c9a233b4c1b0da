import { trackedImage } from '#lib/services/campaigns/tracking'
import { visited } from '../../visit.ts'

/** A single transparent pixel. */
const GIF = Uint8Array.from(Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'))

/** The tracking pixel of an email: /t/o/{token}.gif */
export async function GET(request: Request, { params }: RouteContext<'/t/o/[file]'>) {
  const { file } = await params
  const action_id = file.endsWith('.gif') ? trackedImage(file.slice(0, -4)) : null
  const what = action_id === null ? null : { action_id, kind: 'open' as const, link: 0, url: null }
  return visited(what, request, { status: 200, body: GIF, headers: { 'Content-Type': 'image/gif' } })
}

export const HEAD = GET
