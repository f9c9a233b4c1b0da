import { takeSocialEvents } from '#lib/services/social-events'

const MAX_BYTES = 1_048_576

/** Unipile's webhooks and its reports of hosted sign-ins: https://APP_URL/api/social/unipile. */
export async function POST(request: Request): Promise<Response> {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_BYTES)
    return new Response(null, { status: 413 })
  const isVouchedFor = await takeSocialEvents(request.headers, await request.text(), new Date())
  return new Response(null, { status: isVouchedFor ? 200 : 401 })
}
