import { errorResponse } from '#lib/http/envelope'
import { readSender } from '#lib/http/peer'
import { ringQuietly } from '#lib/services/instance/bells'
import { confirmEntry } from '#lib/services/leads/forms/confirmation'

/** Handles the page's button and redirects back to the page, which shows the result. */
export async function POST(request: Request, { params }: RouteContext<'/forms/confirm/[token]/submit'>) {
  const { token } = await params
  try {
    await confirmEntry(token, readSender(request.headers), new Date())
    await ringQuietly()
    return new Response(null, { status: 303, headers: { Location: `/forms/confirm/${token}` } })
  } catch (error) {
    return errorResponse(error, { errors: 'flat' }, '/forms/confirm/[token]')
  }
}
