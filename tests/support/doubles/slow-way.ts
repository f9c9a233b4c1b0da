import http from 'node:http'
import type { AddressInfo } from 'node:net'

/**
 * A proxy to an instance that stalls an answer: after its first words (a text-delta event) nothing more comes
 * until the caller hangs up, which also closes the upstream connection. `hungUp` counts those calls.
 */
export async function aSlowWay(to: string) {
  let hungUp = 0
  const server = http.createServer((request, response) => {
    const { method, headers, url } = request
    const onward = http.request(new URL(url ?? '/', to), {
      method,
      // Events are recognised by their text, so the response must not be compressed.
      headers: { ...headers, host: new URL(to).host, 'accept-encoding': 'identity' },
    })
    response.on('close', () => {
      onward.destroy()
      if (!response.writableFinished) hungUp += 1
    })
    onward.on('error', () => response.destroy())
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      passUntilWords(answer, response)
    })
    request.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hungUp: () => hungUp,
    close: () => {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** Passes whole events on, up to the first that holds words; later ones are read and held back. */
function passUntilWords(answer: http.IncomingMessage, response: http.ServerResponse) {
  let read = ''
  let isHeld = false
  answer.setEncoding('utf8').on('data', (chunk: string) => {
    if (isHeld) return
    read += chunk
    for (let end = read.indexOf('\n\n'); end >= 0 && !isHeld; end = read.indexOf('\n\n')) {
      const event = read.slice(0, end + 2)
      read = read.slice(end + 2)
      response.write(event)
      isHeld = event.includes('"text-delta"')
    }
  })
  answer.on('error', () => undefined)
}
