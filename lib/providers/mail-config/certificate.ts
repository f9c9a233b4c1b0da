import { connect } from 'node:tls'
import { resolveHost } from '#lib/providers/outbound'
import { type OutboundHttpOptions, postOutbound } from '#lib/providers/outbound-http'

const TIMEOUT_MS = 5_000
const MAX_POLICY = 64 * 1024

export type Shown = { valid_to: Date } | { error: string; is_reachable: boolean }

/** Reads what a domain's own hosts publish, within the policy for outbound connections. */
export interface OwnHosts {
  /** The certificate that a browser would get for this name; an error if a browser would refuse it. */
  certificate(host: string): Promise<Shown>
  /** The policy file of MTA-STS, which must not be behind a redirect (RFC 8461, section 3.3). */
  mtaSts(domain: string): Promise<{ text: string } | { error: string }>
}

type Options = OutboundHttpOptions & {
  timeout_ms?: number
  port?: number
}

export function createOwnHosts(options: Options): OwnHosts {
  const { timeout_ms = TIMEOUT_MS, port = 443, policy, lookup, ca } = options
  return {
    async certificate(host) {
      const resolved = await resolveHost(host, port, policy, lookup)
      if (!resolved.ok) return { error: resolved.error, is_reachable: false }
      return shown({ address: resolved.addresses[0], host, port, ca, timeout_ms })
    },
    async mtaSts(domain) {
      const url = `https://mta-sts.${domain}${port === 443 ? '' : `:${port}`}/.well-known/mta-sts.txt`
      const headers = { 'user-agent': 'Opener', accept: 'text/plain' }
      const asked = { method: 'GET', url, headers, body: '', timeout_ms, max_bytes: MAX_POLICY } as const
      const answer = await postOutbound(asked, options)
      if (answer.status === null) return { error: answer.error }
      return answer.status === 200 ? { text: answer.response } : { error: `it answers ${answer.status}` }
    },
  }
}

type Target = {
  address: string
  host: string
  port: number
  ca: string | undefined
  timeout_ms: number
}

/** Nothing is sent but the TLS handshake. */
function shown({ address, host, port, ca, timeout_ms }: Target): Promise<Shown> {
  return new Promise((resolve) => {
    let isConnected = false
    const socket = connect({ host: address, port, servername: host, ...(ca && { ca }) })
    const end = (result: Shown) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(result)
    }
    // A limit for the whole connection: a server that sends one byte at a time is never silent.
    const timer = setTimeout(
      () => end({ error: 'it did not answer in time.', is_reachable: isConnected }),
      timeout_ms,
    )
    socket.once('connect', () => {
      isConnected = true
    })
    socket.once('error', (error) => end({ error: error.message.slice(0, 300), is_reachable: isConnected }))
    socket.once('secureConnect', () => end({ valid_to: new Date(socket.getPeerCertificate().valid_to) }))
  })
}
