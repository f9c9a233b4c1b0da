import type { Given } from '#lib/client/request'
import type { Contract } from '#lib/contracts/contract'
import { exampleRequest, type FieldRow, fieldRows } from '#lib/contracts/reference'
import { asRecord } from '#lib/domain/text/record'
import { BODIES, namesIn } from '#tests/support/walk/one-of-each'

type Ids = Readonly<Record<string, string>>
/** What a request needs besides the hostile text: the rows that its path names, and other ids for its body. */
type Known = { params: Ids; ids: Ids }
/** One place in an operation's request that takes untrusted text. */
export type Place = {
  name: string
  fill: (text: string, known: Known) => Given | { raw: string; params: Ids }
}

/** A longer address is refused by the HTTP server itself. */
const LONGEST_IN_ADDRESS = 4_000
/** Lengths that are tried to find a field's limit: as much of the text is sent as the contract accepts. */
const LENGTHS = [
  20, 40, 64, 100, 160, 200, 255, 500, 998, 2_000, 3_000, 5_000, 8_000, 10_000, 20_000, 50_000, 100_000,
]
const PLAIN: Record<string, unknown> = { string: 'Hello', integer: 1, boolean: true }
const SHEET = 'email,note\nada@example.com,'
const EXAMPLE_ID = '0198f2a4-7b1c-7e3d-9a5f-2c4b6d8e0f13'
/** Body fields that are left out: the user or workspace named there would take over rows that the rest of the walk needs. */
const NOBODY = ['user_id', 'workspace_id', 'hand_to']

/** Derived from the contract, so that no operation and none of its fields can be forgotten. */
export function placesIn(contract: Contract): Place[] {
  const inPath = namesIn(contract).map((name) => inAddress(contract, `path, ${name}`, 'params', name))
  const inQuery = (contract.query ? fieldRows(contract.query, 'input') : []).map(({ name }) =>
    inAddress(contract, `query, ${name}`, 'query', name),
  )
  const inBody = contract.body ? placesInBody(contract, contract.body) : []
  const inside = [...inQuery, ...inBody]
  return [
    ...inPath,
    ...(inside.length > 0 ? inside : [inAddress(contract, 'query, unknown', 'query', 'unknown')]),
  ]
}

function inAddress(contract: Contract, name: string, part: 'params' | 'query', field: string): Place {
  const fill = (text: string, known: Known) => {
    const given = {
      params: known.params,
      query: exampleRequest(contract).query,
      body: bodyFor(contract, known),
    }
    // A segment of dots only would change the path.
    return { ...given, [part]: { ...given[part], [field]: `x${text.slice(0, LONGEST_IN_ADDRESS)}` } }
  }
  return { name, fill }
}

function placesInBody(contract: Contract, schema: NonNullable<Contract['body']>): Place[] {
  const fields = fieldRows(schema, 'input')
  const texts = fields.filter((field) => takesText(field, fields))
  const free = texts.filter(({ type, limits }) => !/uuid|date-time/.test(type) && !choicesIn(limits))
  const query = exampleRequest(contract).query
  const withBody = ({ params }: Known, body: unknown) => ({ params, query, body })
  const each = free.map((field) => ({
    name: `body, ${field.path}`,
    fill: (text: string, known: Known) => {
      const whole = bodyFor(contract, known)
      const beside = withNeighbors(whole, field, fields)
      const at = (length: number) => withValue(beside, field, text.slice(0, length))
      return withBody(known, at(longestTaken((length) => schema.safeParse(at(length)).success, text.length)))
    },
  }))
  const over = {
    name: 'body, each text over its limit',
    fill: (text: string, known: Known) =>
      withBody(
        known,
        texts.reduce<unknown>((body, field) => withValue(body, field, text), bodyFor(contract, known)),
      ),
  }
  if (contract.body_type === 'multipart') return [...each, ...(texts.length > 0 ? [over] : [])]
  const unread = {
    name: 'body, malformed',
    fill: (text: string, { params }: Known) => ({ raw: `{"name": "${text}`, params }),
  }
  return [...each, ...(texts.length > 0 ? [over] : []), unread]
}

/** The longest accepted length, or the whole text where none is accepted, so that its refusal is tested. */
function longestTaken(isTaken: (length: number) => boolean, whole: number): number {
  if (isTaken(whole)) return whole
  const shorter = LENGTHS.filter((length) => length < whole)
  let [least, most] = [-1, shorter.length]
  while (most - least > 1) {
    const middle = (least + most) >> 1
    if (isTaken(shorter[middle] ?? 0)) least = middle
    else most = middle
  }
  return shorter[least] ?? whole
}

const takesText = ({ type, path }: FieldRow, all: FieldRow[]) =>
  /\b(string|email|uri|uuid|date-time|any|file)\b/.test(type) ||
  (/^(list of )?object\b/.test(type) &&
    !all.some((other) => other.path !== path && other.path.startsWith(path)))

/** A request body that the contract accepts, about existing rows. */
export function bodyFor(contract: Contract, { ids }: Known): unknown {
  if (!contract.body) return undefined
  if (contract.body_type === 'multipart') {
    const form = exampleRequest(contract).form ?? []
    const needed = form.filter(({ is_required }) => is_required)
    return Object.fromEntries(
      needed.map(({ name, value, is_file }) => [name, is_file ? fileOf(`${SHEET}x`, 'x.csv') : value]),
    )
  }
  const example = BODIES[contract.id] ?? JSON.parse(exampleRequest(contract).body ?? '{}')
  return withKnownIds(example, ids)
}

function withKnownIds(value: unknown, ids: Ids, name = ''): unknown {
  if (Array.isArray(value)) return value.map((one) => withKnownIds(one, ids, name.replace(/s$/, '')))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, withKnownIds(inner, ids, key)]),
    )
  if (value !== EXAMPLE_ID || NOBODY.includes(name)) return value
  return ids[name === 'alias_id' ? 'mailbox_id' : name] ?? value
}

const choicesIn = (limits: string[]) =>
  limits
    .find((limit) => limit.startsWith('one of '))
    ?.slice('one of '.length)
    .split(', ')

/** Fields that the objects around a field require as well, where the request does not have these objects yet. */
function withNeighbors(whole: unknown, { path }: FieldRow, all: FieldRow[]): unknown {
  const around = all.filter(
    (other) =>
      other.is_required && other.depth > 0 && path.startsWith(other.path.slice(0, -other.name.length)),
  )
  return around.reduce<unknown>((body, row) => {
    const given = choicesIn(row.limits)?.[0] ?? PLAIN[row.type] ?? (row.type.startsWith('list') ? [] : {})
    return replaced(body, keysIn(row.path), (old) => old ?? given)
  }, whole)
}

const fileOf = (content: string, filename: string) => new File([content], filename)

/** A copy in which the first place of the field holds the text. */
function withValue(whole: unknown, { path, type }: FieldRow, text: string): unknown {
  return replaced(whole, keysIn(path), () => valueOfType(type, text))
}

const keysIn = (path: string) => path.split(/\.|(?=\[\])/)

function valueOfType(type: string, text: string): unknown {
  const one = type.replace(/^list of /, '')
  const value = one.startsWith('file')
    ? fileOf(`${SHEET}"${text}"`, `${text.slice(0, 100)}.csv`)
    : one.startsWith('object')
      ? { [text.slice(0, 900)]: text }
      : one.startsWith('email')
        ? `${text}@example.com`
        : text
  return type === one ? value : [value]
}

function replaced(whole: unknown, [key, ...rest]: string[], toValue: (old: unknown) => unknown): unknown {
  if (key === undefined) return toValue(whole)
  if (key === '[]') {
    const [first, ...others] = Array.isArray(whole) ? whole : []
    return [replaced(first, rest, toValue), ...others]
  }
  const name = key === '*' ? 'any' : key
  const record = asRecord(whole)
  return { ...record, [name]: replaced(record[name], rest, toValue) }
}
