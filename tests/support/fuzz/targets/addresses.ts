import { isIP } from 'node:net'
import { safeReturnPath } from '#lib/contracts/workspaces/sign-in'
import { readEmailCell } from '#lib/domain/datasets/email-address'
import { checkedDomain } from '#lib/domain/enrichment/domain-text'
import { domainOfWebsite } from '#lib/domain/enrichment/web-domain'
import { readSuppression } from '#lib/domain/leads/suppression-value'
import { networkPlace } from '#lib/domain/text/network-place'
import { trustedProxies } from '#lib/http/peer'
import { signInPath } from '#lib/http/session-path'
import { isPublicAddress, namesPrivateHost } from '#lib/providers/outbound'
import { isNetwork, networksContain } from '#lib/services/instance/networks'
import { promise, type Target, textOf } from '#tests/support/fuzz/target'

const SITE = 'https://opener.test'
const isProxy = trustedProxies()
/** Written differently from the code under test, for the address as a socket takes it. */
const isInside = (address: string) =>
  /^(10|127|0|169\.254|192\.168|172\.(1[6-9]|2\d|3[01]))\./.test(address) ||
  /^(::1?$|::ffff:|f[cdef])/i.test(address)

/** Targets of redirects, and the hosts that addresses resolve to. */
export const addresses: Target = {
  name: 'addresses',
  max: 2_048,
  seeds: () => [
    '/campaigns?a=1#b',
    '//evil.test/x',
    '/\\evil.test',
    '/%2e%2e/x',
    '192.0.2.1',
    '::ffff:10.0.0.1',
    '[2001:db8::1]:443',
    '2001:db8::1%eth0',
    'Ann <ann@a.test>; bob@b.test',
    'https://www.a.co.uk/x',
    '@a.test',
    'http://127.1/',
    '0x7f000001',
  ],
  words: [
    '/',
    '//',
    '/\\',
    '\\',
    '..',
    '/./',
    '%2e',
    '%2f',
    '%5c',
    '%00',
    '%',
    '?',
    '#',
    '@',
    ':',
    '::',
    '[',
    ']',
    'javascript:',
    'https://',
    'evil.test',
    '\t',
    '\n',
    '\r',
    '\0',
    ' ',
    '127.0.0.1',
    '::ffff:',
    '0x7f',
    '017700000001',
    'localhost',
    '.internal',
    '%25',
    '\u2028',
    '\uff0f',
    '。',
    'xn--',
    'mailto:',
    '<',
    '>',
    ',',
    ';',
    '"',
  ],
  run(input) {
    const text = textOf(input)
    const path = safeReturnPath(text)
    if (path !== null) {
      promise(safeReturnPath(path) === path, 'a path of ours reads as itself')
      // As a browser follows the redirect after the sign-in, and once more behind a proxy that decodes the escapes.
      for (const given of [
        path,
        decodeURIComponent(path.split(/[?#]/, 1)[0]?.replace(/%(?![0-9a-f]{2})/gi, '%25') ?? ''),
      ].filter(Boolean))
        promise(new URL(given, `${SITE}/sign-in`).origin === SITE, `it stays on this site: ${given}`)
    }
    promise(new URL(signInPath(text, false), SITE).pathname === '/sign-in', 'the way to sign in leads there')
    const { address, network } = networkPlace(text)
    promise(address.length <= 45 && network.length <= 45, 'a place is short')
    const plain = isIP(text) ? text : null
    if (plain) {
      promise(address !== 'unknown' || plain.includes('%'), `an address is a place: ${plain}`)
      promise(!(isPublicAddress(plain) && isInside(plain)), 'no address inside is taken for one outside')
      promise(namesPrivateHost(plain) === !isPublicAddress(plain), 'an address says where it is')
      isProxy(plain)
    } else promise(!isPublicAddress(text), 'what is no address is not public')
    isProxy(text)
    const contains = networksContain([text])
    promise(
      isNetwork(text) || !['0.0.0.0', '127.0.0.1', '::', '::1'].some(contains),
      'what is no network holds nobody',
    )
    namesPrivateHost(text)
    readEmailCell(text)
    readSuppression(text)
    checkedDomain(text)
    domainOfWebsite(text)
  },
}
