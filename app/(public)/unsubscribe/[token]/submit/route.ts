import { invalid } from '#lib/errors'
import { errorResponse } from '#lib/http/envelope'
import { readForm } from '#lib/http/parse'
import { ringQuietly } from '#lib/services/instance/bells'
import { resubscribe, unsubscribe } from '#lib/services/leads/unsubscribes'

const MAX_BYTES = 16 * 1024
const MAX_COMMENT_CHARS = 1_000

/**
 * Every POST to /unsubscribe/{token} arrives here (next.config.mjs). A mail client's one click (RFC 8058) is answered
 * without a redirect and needs no cookie; the page's own form is sent back to the page.
 */
export async function POST(request: Request, { params }: RouteContext<'/unsubscribe/[token]/submit'>) {
  const { token } = await params
  const now = new Date()
  try {
    const form = await readForm(request, MAX_BYTES)
    const isPage = form.intent === 'unsubscribe' || form.intent === 'resubscribe'
    if (!isPage && !('List-Unsubscribe' in form))
      throw invalid(['body', 'List-Unsubscribe'], 'must be One-Click', 'missing')
    const isKnown =
      form.intent === 'resubscribe'
        ? await resubscribe(token, now)
        : await unsubscribe(token, isPage ? { via: 'page', comment: commentIn(form) } : ONE_CLICK, now)
    await ringQuietly()
    if (isPage) return new Response(null, { status: 303, headers: { Location: `/unsubscribe/${token}` } })
    return new Response(isKnown ? 'You are unsubscribed.\n' : 'This link is not valid.\n', {
      status: isKnown ? 200 : 404,
      headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
    })
  } catch (error) {
    return errorResponse(error, { errors: 'flat' }, `/unsubscribe/${token}`)
  }
}

const ONE_CLICK = { via: 'one_click', comment: null } as const

function commentIn({ comment }: Record<string, unknown>): string | null {
  if (typeof comment !== 'string') return null
  return comment.replaceAll('\0', '').toWellFormed().trim().slice(0, MAX_COMMENT_CHARS) || null
}
