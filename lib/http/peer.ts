import type { IncomingMessage } from 'node:http'
import { isNetwork, networksContain } from '#lib/services/instance/networks'

/** Where proxies stand by default: on this machine, or in a network of one's own. */
const OWN = '127.0.0.0/8,::1/128,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,169.254.0.0/16,fc00::/7,fe80::/10'

/** Which peers are believed about whom they ask for: `TRUSTED_PROXIES`, addresses or networks with commas. */
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

/** The network address that a request came from, as the nearest proxy (or the server itself) names it. */
export function readSender(headers: Headers): string {
  const forwarded = headers.get('x-forwarded-for') ?? ''
  return forwarded.split(',').at(-1)?.trim() || 'unknown'
}

/**
 * Where a request says that it comes from is believed of a proxy alone: anybody else would have a new address for each
 * password that they try.
 */
export function senderNamer(trusted?: string): (request: IncomingMessage) => void {
  const isProxy = trustedProxies(trusted)
  return (request) => {
    const peer = request.socket.remoteAddress
    if (!isProxy(peer) || !request.headers['x-forwarded-for']) request.headers['x-forwarded-for'] = peer
  }
}
