import { appOrigin, pathOfBrowser } from '#lib/http/session'
import { afterSignIn } from '#lib/services/social/connections'

/**
 * The provider redirects the browser here after a sign-in. This connects nothing: the provider reports the
 * account separately.
 */
export async function GET(request: Request): Promise<Response> {
  const path = await pathOfBrowser(afterSignIn(new URL(request.url).searchParams))
  const location = new URL(path, appOrigin()).href
  return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } })
}
