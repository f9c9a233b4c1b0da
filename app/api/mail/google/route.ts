import { readText } from '#lib/http/parse'
import { takeGooglePush } from '#lib/services/inbox/mailboxes/pushed'

const MAX_BYTES = 65_536

/** Pub/Sub push notifications of Gmail mailboxes: https://APP_URL/api/mail/google. */
export async function POST(request: Request): Promise<Response> {
  const body = await readText(request, MAX_BYTES)
  if (body === null) return new Response(null, { status: 413 })
  const isVouchedFor = await takeGooglePush(request.headers.get('authorization'), body, new Date())
  return new Response(null, { status: isVouchedFor ? 204 : 401 })
}
