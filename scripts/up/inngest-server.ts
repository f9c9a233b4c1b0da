import { localUrl } from '#scripts/up/services'
import type { Settings } from '#scripts/up/settings'
import { Trouble } from '#scripts/up/trouble'

type Given = Record<string, string | undefined>

const isDev = ({ INNGEST_DEV }: Given) => !['', '0', 'false', undefined].includes(INNGEST_DEV)
const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

/** Refuses to start with an Inngest server but without its keys: it would not accept keys generated here. */
export function requireServerKeys(given: Given): void {
  if (!given.INNGEST_BASE_URL || isDev(given)) return
  const missing = ['INNGEST_SIGNING_KEY', 'INNGEST_EVENT_KEY'].filter((name) => !given[name])
  if (missing.length > 0)
    throw new Trouble(
      `INNGEST_BASE_URL names an Inngest server: set ${missing.join(' and ')} to what it was started with.`,
    )
}

/**
 * The address at which the server reaches the functions of this machine. Always set: otherwise the SDK would take it from the
 * Host header of any request to register, and send the server to a stranger's address.
 */
export function serveOrigin(settings: Settings, given: Given): string | undefined {
  const { INNGEST_BASE_URL, INNGEST_SERVE_ORIGIN, APP_URL } = given
  if (!INNGEST_BASE_URL) return undefined
  if (INNGEST_SERVE_ORIGIN) return new URL(INNGEST_SERVE_ORIGIN).origin
  if (LOOPBACK.includes(new URL(INNGEST_BASE_URL).hostname)) return localUrl(settings)
  if (settings.role === 'all' && APP_URL) return new URL(APP_URL).origin
  throw new Trouble(
    `The Inngest server at ${INNGEST_BASE_URL} has to reach the functions on this machine: set INNGEST_SERVE_ORIGIN to where, such as http://10.0.0.5:${settings.port}.`,
  )
}

const AGAIN_MS = 2_000
const LATER_MS = 300_000

/**
 * Registers the functions and their address with the server, again and again. The server asks only until it was told once: it
 * would keep the functions of the previous build, and one that lost its data would never know. Returns a function that stops it.
 */
export function keepRegistered(serveUrl: string, env: Given, say: (line: string) => void): () => void {
  const stopping = new AbortController()
  let said = ''
  const tell = async () => {
    const trouble = await register(serveUrl, env.INNGEST_SIGNING_KEY, stopping.signal)
    if (stopping.signal.aborted) return
    if (trouble !== said) say(trouble || 'The Inngest server knows the functions.')
    said = trouble
    const timer = setTimeout(tell, trouble ? AGAIN_MS : LATER_MS)
    stopping.signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
  }
  void tell()
  return () => stopping.abort()
}

/** Returns the error, or an empty text on success. */
async function register(
  serveUrl: string,
  signingKey: string | undefined,
  stopping: AbortSignal,
): Promise<string> {
  // Loaded here, so that instances without such a server never load them.
  const { callApp } = await import('#lib/engine/call')
  const { canonical } = await import('#lib/engine/protocol')
  const answer = await callApp({
    method: 'PUT',
    url: new URL(serveUrl),
    body: canonical({ url: serveUrl }),
    headers: {},
    signingKey,
    signal: AbortSignal.any([stopping, AbortSignal.timeout(30_000)]),
  })
  if (answer.kind === 'answer' && answer.status === 200) return ''
  const why = answer.kind === 'answer' ? `${answer.status}: ${answer.text.slice(0, 300)}` : answer.kind
  return `The functions could not be registered with the Inngest server (${why}). Trying again.`
}
