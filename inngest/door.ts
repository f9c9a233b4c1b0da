import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import { serve } from 'inngest/node'
import { serving } from '#inngest/serving'
import { inngest } from '#lib/events/client'
import { log } from '#lib/http/log'

const answer = serve({ ...serving, servePath: '/api/inngest' })

/** Without a key nothing is signed, nor where the engine is Inngest's dev server. */
const isSigning = () => inngest.mode === 'cloud' && Boolean(process.env.INNGEST_SIGNING_KEY)

/** A call carries what the steps of its function answered: Inngest keeps no more than 32 MB of it. */
const MOST_BYTES = 36 * 1024 * 1024

/** So many calls of more than a megabyte are read at once; what is over that comes again. */
const MOST_LARGE = 8
const LARGE_BYTES = 1024 * 1024
const reading = new Set<IncomingMessage>()

/**
 * Answers the engine where Node itself serves. What is read stands in memory whole, and is parsed, before its signature is checked: so a call has one,
 * and says beforehand how long it is, as every server of Inngest does.
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
  // Of a body that is not read the rest would be taken for the next request.
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' })
  response.end(JSON.stringify({ detail: STATUS_CODES[status] }))
}
