import { DEFAULT_NETWORK } from '#lib/domain/social/social-profile'
import { trimEndChars } from '#lib/domain/text/text-end'

/** Each network's profile addresses: its hosts, of which the first is canonical, and the path before the name. */
const PLACES: Record<string, { hosts: readonly string[]; before: string }> = {
  linkedin: { hosts: ['linkedin.com'], before: 'in/' },
  twitter: { hosts: ['x.com', 'twitter.com'], before: '' },
  instagram: { hosts: ['instagram.com'], before: '' },
  telegram: { hosts: ['t.me', 'telegram.me'], before: '' },
}

/** Path segments in place of a name that are none: posts, searches and the like. */
const NO_NAMES = new Set(
  'p reel reels tv stories explore accounts i intent home hashtag search share s c joinchat addstickers'.split(
    ' ',
  ),
)

/** Longer texts are no profiles. */
const MAX_LENGTH = 500

/**
 * The canonical form of a profile's address, `linkedin.com/in/ada`, from any notation: with scheme, country, tracking, or
 * another host of the network. Null for anything else, such as a company's page.
 */
export function profileAddress(written: string): string | null {
  const text = plain(written)
  if (text === null) return null
  const at = text.indexOf('/')
  if (at < 0) return null
  const host = text
    .slice(0, at)
    .replace(/^(www|m|mobile)\./, '')
    .replace(/^[a-z]{2}\.(?=((linkedin|twitter|x|instagram)\.com|(t|telegram)\.me)$)/, '')
  const place = Object.values(PLACES).find(({ hosts }) => hosts.includes(host))
  return place ? addressAt(place, text.slice(at + 1)) : null
}

/** The same if a list has only the name and the column tells the network. */
export function profileAddressOn(network: string, written: string): string | null {
  const address = profileAddress(written)
  const place = PLACES[network]
  if (address !== null || place === undefined) return address
  const text = plain(written)
  if (text === null) return null
  if (text.includes('/')) return place.before !== '' ? addressAt(place, text) : null
  return addressAt(place, place.before + text)
}

/**
 * The key that identifies a profile, however a list spells it: its normalized address, or else the normalized text. The SQL function
 * `profile_key` must give the same result, so a change here needs a migration that replaces it.
 */
export function profileKey(network: string, written: string): string {
  const text = plain(written)
  if (text === null) return inLowerCase(written.trim())
  const address = profileAddressOn(network, written)
  return address ?? trimEndChars(text.replace(/^(www\.)?@?/, ''), '/')
}

/** The address of a profile given as `network:profile`. */
export function addressOfProfile(profile: string): string | null {
  const at = profile.indexOf(':')
  return profileAddressOn(at < 0 ? DEFAULT_NETWORK : profile.slice(0, at), profile.slice(at + 1))
}

function plain(written: string): string | null {
  const text = written.trim()
  if (text === '' || [...text].length > MAX_LENGTH) return null
  const read = decoded(beforeQuery(withoutBrackets(text))).trim()
  const bare = inLowerCase(withoutBrackets(read).normalize('NFC'))
    .replace(/^[a-z]+:\/\//, '')
    .replace(/^([a-z.]+):(443|80)\//, '$1/')
  return beforeQuery(bare).replace(/\/{2,}/g, '/')
}

const withoutBrackets = (text: string) => text.replace(/^<(.*)>$/s, '$1')

const beforeQuery = (text: string) => text.split(/[?#]/, 1)[0] ?? ''

/** Lower-cases each letter by itself, as Postgres does: without contextual forms, and never two letters for one. */
const inLowerCase = (text: string) =>
  [...text].map((letter) => String.fromCodePoint(letter.toLowerCase().codePointAt(0) ?? 0)).join('')

/** Decodes repeatedly, since some lists encode twice. */
function decoded(text: string): string {
  try {
    const once = decodeURIComponent(text)
    return once === text || once.includes('\0') ? text : decoded(once)
  } catch {
    return text
  }
}

/** Anything after the name, such as a language, is ignored. */
function addressAt({ hosts, before }: { hosts: readonly string[]; before: string }, path: string) {
  if (!path.startsWith(before)) return null
  const [name = ''] = path.slice(before.length).replace(/^@/, '').split('/', 1)
  if (before === '' && NO_NAMES.has(name)) return null
  return name === '' || /[\s@,;|]/.test(name) ? null : `${hosts[0]}/${before}${name}`
}
