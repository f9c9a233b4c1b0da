import type { IncomingMessage, ServerResponse } from 'node:http'
import { serve } from 'inngest/node'
import { serving } from '#inngest/serving'
import { log } from '#lib/http/log'

const answer = serve({ ...serving, servePath: '/api/inngest' })

/** Answers the engine where Node itself serves. What cannot be read is thrown before its signature is asked for. */
export async function answerEngine(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    await answer(request, response)
  } catch (error) {
    const isTheirs = error instanceof SyntaxError || error instanceof TypeError
    if (!isTheirs) log().error({ err: error }, 'a call of the engine failed')
    if (response.headersSent) response.destroy()
    else
      response
        .writeHead(isTheirs ? 400 : 500, { 'content-type': 'application/json' })
        .end(`{"detail":"${isTheirs ? 'Bad Request' : 'Internal Server Error'}"}`)
  }
}
