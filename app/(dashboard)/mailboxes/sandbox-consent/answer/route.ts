import { notFound } from 'next/navigation'
import { answerOfSandbox } from '#lib/services/senders/grants/vendors'
import { hasSandbox } from '#lib/services/senders/sandbox'

/** What the person chose on the sandbox's page, as a vendor would tell it: by sending the browser back. */
export function GET(request: Request): Response {
  if (!hasSandbox()) notFound()
  return new Response(null, {
    status: 303,
    headers: { location: answerOfSandbox(new URL(request.url).searchParams), 'cache-control': 'no-store' },
  })
}
