import { appOrigin, pathOfBrowser } from '#lib/http/session'
import { afterSignIn } from '#lib/services/social/connections'

/** Where a provider sends the browser after a sign-in. It connects nothing: the provider tells us that by itself. */
export async function GET(request: Request): Promise<Response> {
  const path = await pathOfBrowser(afterSignIn(new URL(request.url).searchParams))
  const location = new URL(path, appOrigin()).href
  return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } })
}
