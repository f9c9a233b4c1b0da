import { BlockList, isIPv6 } from 'node:net'

/** Where proxies stand by default: on this machine, or in a network of one's own. */
const OWN = '127.0.0.0/8,::1/128,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,169.254.0.0/16,fc00::/7,fe80::/10'

/** Which peers are believed about whom they ask for: `TRUSTED_PROXIES`, addresses or networks with commas. */
export function trustedProxies(given?: string): (address: string | undefined) => boolean {
  const trusted = new BlockList()
  for (const entry of (given || OWN).split(',').map((text) => text.trim())) {
    if (!entry) continue
    const [network = '', bits] = entry.split('/')
    const type = isIPv6(network) ? 'ipv6' : 'ipv4'
    trusted.addSubnet(network, Number(bits ?? (type === 'ipv6' ? 128 : 32)), type)
  }
  return (address = '') => {
    const plain = address.replace(/^::ffff:(?=\d+\.)/i, '')
    return plain !== '' && trusted.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
  }
}
