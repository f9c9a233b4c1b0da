import { afterSignIn } from '#lib/services/social/connections'

/** Where a provider sends the browser after a sign-in. It connects nothing: the provider tells us that by itself. */
export function GET(request: Request): Response {
  return new Response(null, {
    status: 303,
    headers: { location: afterSignIn(new URL(request.url).searchParams), 'cache-control': 'no-store' },
  })
}
