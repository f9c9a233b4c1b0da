import { organizationalDomain } from '#lib/domain/domains/domain-name'
import type { Receiver } from '#lib/domain/domains/receiver'

/** The result of one authentication method, such as `pass`, and the domain it applies to. */
export type Verdict = { result: string; domain: string | null }

/** What a receiver reports about a mail that it accepted (RFC 8601). */
export type AuthenticationSeen = {
  /** The reporting host; null if it does not name itself, as Microsoft. */
  authserv_id: string | null
  spf: Verdict | null
  dkim: Verdict[]
  dmarc: Verdict | null
}

type Header = { name: string; value: string }

const MOST_SIGNATURES = 10

/**
 * The report of the mailbox's own receiver: the topmost of the headers that it wrote. Anybody can write such a header, and one
 * that names another host proves nothing; the receiver removes incoming headers that name itself (section 5).
 */
export function receiverResults(headers: readonly Header[], receiver: Receiver): AuthenticationSeen | null {
  for (const { name, value } of headers) {
    if (name !== 'authentication-results') continue
    const seen = readResults(value)
    if (isOwn(receiver, seen.authserv_id)) return seen
  }
  return null
}

function isOwn({ hosts, is_nameless }: Receiver, authservId: string | null): boolean {
  if (authservId === null) return is_nameless
  return hosts.map(organizationalDomain).includes(organizationalDomain(authservId))
}

/** Parses one header, in linear time. */
export function readResults(value: string): AuthenticationSeen {
  const [first = '', ...rest] = statements(value)
  // Microsoft's header begins with the first result instead of a host.
  const isNamed = !/^[a-z0-9-]+=/i.test(first)
  const seen: AuthenticationSeen = {
    authserv_id: isNamed ? (first.split(' ')[0]?.toLowerCase().slice(0, 253) ?? null) : null,
    spf: null,
    dkim: [],
    dmarc: null,
  }
  for (const statement of isNamed ? rest : [first, ...rest]) take(seen, statement)
  return seen
}

function take(seen: AuthenticationSeen, statement: string): void {
  const [head = '', ...properties] = statement.split(' ')
  const [, method = '', result = ''] = /^([a-z-]{1,20})(?:\/\d{1,3})?=([a-z]{1,20})$/i.exec(head) ?? []
  const verdict = (...names: string[]): Verdict => ({
    result: result.toLowerCase(),
    domain: findDomain(properties, names),
  })
  switch (method.toLowerCase()) {
    case 'spf':
      seen.spf ??= verdict('smtp.mailfrom', 'smtp.helo')
      break
    case 'dkim':
      if (seen.dkim.length < MOST_SIGNATURES) seen.dkim.push(verdict('header.d', 'header.i'))
      break
    case 'dmarc':
      seen.dmarc ??= verdict('header.from')
      break
  }
}

/** The domain in a property; of an address, the part after the @. */
function findDomain(properties: string[], names: string[]): string | null {
  for (const name of names) {
    const property = properties.find((one) => one.toLowerCase().startsWith(`${name}=`))
    const domain = property
      ?.slice(name.length + 1)
      .split('@')
      .at(-1)
    if (domain) return domain.toLowerCase().slice(0, 253)
  }
  return null
}

/** The parts between semicolons, without comments and quotes, and with single spaces. */
function statements(value: string): string[] {
  let text = ''
  let depth = 0
  let isQuoted = false
  for (let at = 0; at < value.length; at++) {
    const char = value[at] ?? ''
    if (char === '\\') {
      if (depth === 0) text += value[at + 1] ?? ''
      at += 1
    } else if (depth === 0 && char === '"') isQuoted = !isQuoted
    else if (!isQuoted && char === '(') depth += 1
    else if (!isQuoted && char === ')') depth = Math.max(0, depth - 1)
    else if (depth === 0) text += isQuoted && char === ';' ? ' ' : char
    if (depth === 0 && char === ')') text += ' '
  }
  return text.split(';').map((statement) =>
    statement
      .split(/\s+/)
      .filter((word) => word !== '')
      .join(' ')
      .replace(/ ?= ?/g, '='),
  )
}
