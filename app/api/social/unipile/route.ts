import { readText } from '#lib/http/parse'
import { takeSocialEvents } from '#lib/services/inbox/social-events'
import { ringQuietly } from '#lib/services/instance/bells'

const MAX_BYTES = 1_048_576

/** Unipile's webhooks and reports of hosted sign-ins: https://APP_URL/api/social/unipile. */
export async function POST(request: Request): Promise<Response> {
  const body = await readText(request, MAX_BYTES)
  if (body === null) return new Response(null, { status: 413 })
  const isVouchedFor = await takeSocialEvents(request.headers, body, new Date())
  await ringQuietly()
  return new Response(null, { status: isVouchedFor ? 200 : 401 })
}
