import type { IncomingMessage } from 'node:http'
import { isNetwork, networksContain } from '#lib/services/instance/networks'

/** Trusted proxies by default: this machine and private networks. */
const OWN = '127.0.0.0/8,::1/128,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,169.254.0.0/16,fc00::/7,fe80::/10'

/** The peers whose forwarded client address is trusted: `TRUSTED_PROXIES`, a comma-separated list of addresses or networks. */
export function trustedProxies(given?: string): (address: string | undefined) => boolean {
  const networks = (given || OWN)
    .split(',')
    .map((text) => text.trim())
    .filter(Boolean)
  const unread = networks.find((text) => !isNetwork(text))
  if (unread !== undefined) throw new Error(`TRUSTED_PROXIES: ${unread} is no address or network.`)
  const isTrusted = networksContain(networks)
  return (address = '') => isTrusted(address)
}

/** The client's network address, as named by the nearest proxy or by the server itself. */
export function readSender(headers: Headers): string {
  const forwarded = headers.get('x-forwarded-for') ?? ''
  return forwarded.split(',').at(-1)?.trim() || 'unknown'
}

/**
 * A forwarded client address is trusted only from a proxy. Otherwise anybody could use a new address for each password they try.
 */
export function senderNamer(trusted?: string): (request: IncomingMessage) => void {
  const isProxy = trustedProxies(trusted)
  return (request) => {
    const peer = request.socket.remoteAddress
    if (!isProxy(peer) || !request.headers['x-forwarded-for']) request.headers['x-forwarded-for'] = peer
  }
}
