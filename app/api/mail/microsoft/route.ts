import { readText } from '#lib/http/parse'
import { takeGraphNotices } from '#lib/services/inbox/mailboxes/pushed'
import { hasMicrosoftPush } from '#lib/services/senders/grants/watches'

const MAX_BYTES = 262_144
const MAX_TOKEN = 2_048

/** What Microsoft Graph tells of mailboxes, and its question whether that is meant: https://APP_URL/api/mail/microsoft. */
export async function POST(request: Request): Promise<Response> {
  if (!hasMicrosoftPush()) return new Response(null, { status: 404 })
  const token = new URL(request.url).searchParams.get('validationToken')
  if (token !== null) return repeated(token)
  const body = await readText(request, MAX_BYTES)
  if (body === null) return new Response(null, { status: 413 })
  await takeGraphNotices(body, new Date())
  // The same for what nobody here has asked for.
  return new Response(null, { status: 202 })
}

/** As text and nothing else, whatever stands in it. */
function repeated(token: string): Response {
  if (token.length > MAX_TOKEN) return new Response(null, { status: 400 })
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' }
  return new Response(token, { headers })
}
