import type { MailServer } from '#lib/domain/domains/mail-providers'

/** With the sign-in name; null: the address itself. */
export type SignInServer = MailServer & { username: string | null }
export type Servers = { smtp: SignInServer | null; imap: SignInServer | null }

/** Longer documents are not read beyond this: a real one has about three kibibytes. */
export const MAX_DOCUMENT = 64 * 1024
const MAX_GROUPS = 40

type Group = { name: string; type: string; fields: Map<string, string> }

/**
 * The servers in a document for mail programs: `config-v1.1.xml` (Thunderbird's autoconfiguration) or an Autodiscover answer in
 * plain XML. Only encrypted servers are returned; everything else is ignored.
 */
export function readServers(xml: string, address: string): Servers {
  const groups = readGroups(xml.slice(0, MAX_DOCUMENT))
  const find = (kind: 'smtp' | 'imap') => {
    for (const group of groups) {
      const server = group.type === kind ? toServer(group, address) : null
      if (server) return server
    }
    return null
  }
  return { smtp: find('smtp'), imap: find('imap') }
}

const GROUPS = new Set(['incomingserver', 'outgoingserver', 'protocol'])

/**
 * The content of the groups, in one pass from tag to tag. Only the five entities of XML itself are decoded, nothing is fetched,
 * and the nesting depth does not matter.
 */
function readGroups(xml: string): Group[] {
  const groups: Group[] = []
  let group: Group | null = null
  let leaf = ''
  let from = 0
  for (
    let open = xml.indexOf('<');
    open !== -1 && groups.length < MAX_GROUPS;
    open = xml.indexOf('<', from)
  ) {
    if (group && leaf !== '') keepText(group, leaf, xml.slice(from, open))
    const end = endOfTag(xml, open)
    if (end === -1) break
    from = end
    leaf = ''
    const tag = xml.slice(open + 1, end - 1)
    const name = tagName(tag)
    const isClosing = tag.startsWith('/')
    if (GROUPS.has(name)) {
      if (isClosing && group) groups.push(group)
      group = isClosing ? null : { name, type: typeAttribute(tag), fields: new Map() }
    } else if (!isClosing && !tag.endsWith('/')) leaf = name
  }
  return groups.map(withOwnType)
}

/** The position after the tag; a comment ends at its own delimiter. -1: it has no end. */
function endOfTag(xml: string, open: number): number {
  const close = xml.startsWith('<!--', open) ? '-->' : '>'
  const at = xml.indexOf(close, open)
  return at === -1 ? -1 : at + close.length
}

/** The tag's name without prefix, in lower case. */
function tagName(tag: string): string {
  const bare = tag.startsWith('/') ? tag.slice(1, 80) : tag.slice(0, 80)
  const name = /^[A-Za-z][\w.:-]*/.exec(bare)?.[0] ?? ''
  return name.slice(name.indexOf(':') + 1).toLowerCase()
}

const typeAttribute = (tag: string): string =>
  /\stype=["']([a-z0-9]{1,10})["']/i.exec(tag.slice(0, 300))?.[1]?.toLowerCase() ?? ''

/** The first value of a name counts: it belongs to the preferred server. */
function keepText({ fields }: Group, leaf: string, text: string): void {
  if (!fields.has(leaf)) fields.set(leaf, plain(text.trim().slice(0, 400)))
}

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const plain = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => NAMED[name] ?? '')

/** Autodiscover has the type in an element, autoconfiguration in an attribute. */
const withOwnType = (group: Group): Group =>
  group.name === 'protocol' ? { ...group, type: group.fields.get('type')?.toLowerCase() ?? '' } : group

function toServer({ name, fields }: Group, address: string): SignInServer | null {
  const host = readHost(fields.get(name === 'protocol' ? 'server' : 'hostname') ?? '')
  const port = Number(fields.get('port'))
  const security = name === 'protocol' ? bySsl(fields, port) : bySocket(fields.get('sockettype') ?? '')
  if (!host || !security || !Number.isInteger(port) || port < 1 || port > 65_535) return null
  return { host, port, security, username: signInName(fields, address) }
}

function readHost(text: string): string | null {
  const host = text.toLowerCase().replace(/\.$/, '')
  return host.length <= 253 && host.includes('.') && /^[a-z0-9.-]+$/.test(host) ? host : null
}

const bySocket = (text: string): MailServer['security'] | null =>
  (({ ssl: 'tls', starttls: 'starttls' }) as const)[text.toLowerCase()] ?? null

/** "SSL" is on by default, also on ports that begin in plain text, where the connection is encrypted before sign-in. */
function bySsl(fields: Map<string, string>, port: number): MailServer['security'] {
  if (port === 465 || port === 993) return 'tls'
  const encryption = fields.get('encryption')?.toLowerCase()
  if (encryption === 'ssl') return 'tls'
  const isOff = fields.get('ssl')?.toLowerCase() === 'off'
  return encryption === 'tls' || isOff || port === 587 || port === 143 || port === 25 ? 'starttls' : 'tls'
}

/** Null if the sign-in name is the address, or unknown. */
function signInName(fields: Map<string, string>, address: string): string | null {
  const given = fields.get('username') ?? fields.get('loginname') ?? ''
  const at = address.lastIndexOf('@')
  const name = given
    .replaceAll('%EMAILADDRESS%', address)
    .replaceAll('%EMAILLOCALPART%', address.slice(0, at))
    .replaceAll('%EMAILDOMAIN%', address.slice(at + 1))
  return name === '' || name.length > 320 || name.includes('%') || name.toLowerCase() === address
    ? null
    : name
}
