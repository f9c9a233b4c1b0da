import { invalid } from '#lib/errors'
import { errorResponse } from '#lib/http/envelope'
import { readForm } from '#lib/http/parse'
import { stopAnalyticsEmail } from '#lib/services/telling/analytics-emails'

const MAX_BYTES = 16 * 1024

/**
 * Every POST to /analytics-email/{token} arrives here (next.config.mjs). A mail client's one click (RFC 8058) is answered
 * without a redirect and needs no cookie; the page's own form is sent back to the page.
 */
export async function POST(request: Request, { params }: RouteContext<'/analytics-email/[token]/submit'>) {
  const { token } = await params
  try {
    const form = await readForm(request, MAX_BYTES)
    const isPage = form.intent === 'stop'
    if (!isPage && !('List-Unsubscribe' in form))
      throw invalid(['body', 'List-Unsubscribe'], 'must be One-Click', 'missing')
    const isKnown = await stopAnalyticsEmail(token)
    if (isPage) return new Response(null, { status: 303, headers: { Location: `/analytics-email/${token}` } })
    return new Response(isKnown ? 'You have been unsubscribed.\n' : 'This link is not valid.\n', {
      status: isKnown ? 200 : 404,
      headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
    })
  } catch (error) {
    return errorResponse(error, { errors: 'flat' }, `/analytics-email/${token}`)
  }
}
