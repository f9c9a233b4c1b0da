import { readText } from '#lib/http/parse'
import { takeGraphNotices } from '#lib/services/inbox/mailboxes/pushed'
import { hasMicrosoftPush } from '#lib/services/senders/grants/watches'

const MAX_BYTES = 262_144
const MAX_TOKEN = 2_048

/**
 * Microsoft Graph notifications of mailboxes, and its validation requests:
 * https://APP_URL/api/mail/microsoft.
 */
export async function POST(request: Request): Promise<Response> {
  if (!hasMicrosoftPush()) return new Response(null, { status: 404 })
  const token = new URL(request.url).searchParams.get('validationToken')
  if (token !== null) return repeated(token)
  const body = await readText(request, MAX_BYTES)
  if (body === null) return new Response(null, { status: 413 })
  await takeGraphNotices(body, new Date())
  // The same answer for notifications of unknown subscriptions.
  return new Response(null, { status: 202 })
}

/** Echoes the validation token as plain text, whatever it contains. */
function repeated(token: string): Response {
  if (token.length > MAX_TOKEN) return new Response(null, { status: 400 })
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' }
  return new Response(token, { headers })
}
