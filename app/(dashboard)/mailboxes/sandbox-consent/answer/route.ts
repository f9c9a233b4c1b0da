import { notFound } from 'next/navigation'
import { answerOfSandbox } from '#lib/services/senders/grants/vendors'
import { hasSandbox } from '#lib/services/senders/sandbox'

/** The user's choice on the sandbox's consent page, returned like a vendor's: by a redirect. */
export function GET(request: Request): Response {
  if (!hasSandbox()) notFound()
  return new Response(null, {
    status: 303,
    headers: { location: answerOfSandbox(new URL(request.url).searchParams), 'cache-control': 'no-store' },
  })
}
