import { log } from '#lib/http/log'
import { recordHit } from '#lib/services/campaigns/tracking'
import { ringQuietly } from '#lib/services/instance/bells'

const NEVER_KEPT = {
  'Cache-Control': 'no-store, private, max-age=0',
  'X-Robots-Tag': 'noindex, nofollow',
  'Referrer-Policy': 'no-referrer',
}

/** Records a visit. The reader reaches their target even if it cannot be recorded. */
async function keepVisit(what: Parameters<typeof recordHit>[0], request: Request): Promise<void> {
  const header = (name: string) => request.headers.get(name)
  const purpose = header('sec-purpose') ?? header('purpose') ?? header('x-purpose') ?? header('x-moz')
  try {
    const visit = { method: request.method, user_agent: header('user-agent'), purpose }
    const { is_told } = await recordHit(what, visit, new Date())
    if (is_told) await ringQuietly()
  } catch (error) {
    log().error({ action_id: what.action_id, err: error }, 'an open or a click was not kept')
  }
}

/** Records the visit, then answers. An invalid token gets an error page, never a redirect. */
export async function visited(
  what: Parameters<typeof recordHit>[0] | null,
  request: Request,
  answer: { status: number; body: Uint8Array<ArrayBuffer> | null; headers: Record<string, string> },
): Promise<Response> {
  if (!what) return unknownLink()
  await keepVisit(what, request)
  const { status, body, headers } = answer
  return new Response(request.method === 'HEAD' ? null : body, {
    status,
    headers: { ...headers, ...NEVER_KEPT },
  })
}

const UNKNOWN = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>This link does not work</title></head>
<body style="font: 16px/1.5 system-ui, sans-serif; max-width: 32rem; margin: 20vh auto; padding: 0 1rem">
<h1 style="font-size: 1.25rem">This link does not work</h1>
<p>The link may be incomplete. Open it in the email again, or ask the sender.</p>
</body>
</html>
`

function unknownLink(): Response {
  return new Response(UNKNOWN, {
    status: 404,
    headers: { 'Content-Type': 'text/html; charset=utf-8', ...NEVER_KEPT },
  })
}
