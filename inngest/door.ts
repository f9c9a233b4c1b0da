import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import { serve } from 'inngest/node'
import { serving } from '#inngest/serving'
import { inngest } from '#lib/events/client'
import { log } from '#lib/http/log'

const answer = serve({ ...serving, servePath: '/api/inngest' })

/** Whether calls must be signed: not without a key, and not with Inngest's dev server. */
const isSigning = () => inngest.mode === 'cloud' && Boolean(process.env.INNGEST_SIGNING_KEY)

/** A call carries the results of its function's steps, of which Inngest keeps at most 32 MB. */
const MOST_BYTES = 36 * 1024 * 1024

/** Most calls of over a megabyte that are read at once; the engine repeats refused ones. */
const MOST_LARGE = 8
const LARGE_BYTES = 1024 * 1024
const reading = new Set<IncomingMessage>()

/**
 * Answers the engine where Node itself serves. A body is read and parsed before its signature is checked, so a call must have a
 * signature and a Content-Length, as those of every Inngest server do.
 */
export async function answerEngine(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const bytes = hasBody(request) ? Number(request.headers['content-length']) : 0
  if (hasBody(request) && isSigning() && !request.headers['x-inngest-signature']) return refuse(response, 401)
  if (!(bytes <= MOST_BYTES)) return refuse(response, Number.isNaN(bytes) ? 411 : 413)
  if (bytes > LARGE_BYTES) {
    if (reading.size >= MOST_LARGE) return refuse(response, 503)
    reading.add(request)
    request.once('close', () => reading.delete(request))
  }
  try {
    await answer(request, response)
  } catch (error) {
    const isTheirs = error instanceof SyntaxError || error instanceof TypeError
    if (!isTheirs) log().error({ err: error }, 'a call of the engine failed')
    if (response.headersSent) response.destroy()
    else refuse(response, isTheirs ? 400 : 500)
  }
}

const hasBody = ({ method, headers }: IncomingMessage) =>
  method === 'POST' || method === 'PUT' || headers['transfer-encoding'] !== undefined

function refuse(response: ServerResponse, status: number): void {
  // The rest of an unread body would be taken for the next request.
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' })
  response.end(JSON.stringify({ detail: STATUS_CODES[status] }))
}
