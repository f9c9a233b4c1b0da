import { createHash } from 'node:crypto'
import { z } from 'zod'

/** The data block of a request, as far as it is used here. */
const DataBlock = z.looseObject({
  cells: z.record(z.string(), z.string()),
  sender: z.record(z.string(), z.string()),
  template: z.object({ subject: z.string(), body: z.string() }).nullable().default(null),
  /** In a request for an answer: the messages so far. */
  conversation: z.array(z.object({ from: z.enum(['us', 'them']), text: z.string() })).optional(),
})
export type DataBlock = z.output<typeof DataBlock>

type Claim = { text: string; cell: string }
type Written = { subject: string; body: string; claims: Claim[] }

/** The JSON between the delimiters of a request; null if there is none. */
function readBlock(text: string): unknown {
  const json = /^<data>\n(.*)\n<\/data>$/s.exec(text)?.[1]
  return json ? JSON.parse(json) : null
}

export function readDataBlock(text: string): DataBlock | null {
  const block = readBlock(text)
  return block === null ? null : DataBlock.parse(block)
}

const ReplyBlock = z.strictObject({ reply: z.string() })

/** The reply whose intent is asked for; null if the request asks for something else. */
export function readReplyBlock(text: string): string | null {
  const asked = ReplyBlock.safeParse(readBlock(text))
  return asked.success ? asked.data.reply : null
}

/** Cells with contact data or identity, which are nothing to write about. */
const PLUMBING =
  /^(?:email|e_mail|phone|mobile|website|url|domain|timezone|first_name|last_name|full_name|name|salutation|gender|id|lead_index)$|_(?:url|id|email|phone)$/
const COMMON = new Set(['company', 'title', 'city', 'country'])
const LONGEST_CELL = 160

type Sentence = { text: string; claims: Claim[] }

/**
 * A message composed from the lead's own cells; equal cells give an equal message. It states nothing but what the cells say: a
 * lead about whom nothing is known gets the template alone, or one neutral line.
 */
export function composeOffline({ cells, sender, template }: DataBlock): Written {
  const hash = createHash('sha256').update(JSON.stringify(cells)).digest()
  let drawn = 0
  const pick = (options: string[]): string => options[(hash[drawn++] ?? 0) % options.length] ?? ''
  const opener = [placeSentence(cells, pick), factSentence(cells, pick)].filter((part) => part !== null)
  const opening = opener.map((part) => part.text).join(' ')
  const claims = opener.flatMap((part) => part.claims)
  if (template) return { ...withOpening(template, opening), claims }

  const first = cells.first_name
  const from = sender.name ?? sender.full_name
  const offer = sender.offer ?? sender.value_proposition
  const body = [
    first ? `Hello ${first},` : 'Hello,',
    opening || 'I would like to get in touch with you.',
    offer ?? '',
    'Would a short conversation be of use to you?',
    from ?? '',
  ]
  const named: Claim[] = [
    ...(first ? [{ text: first, cell: 'first_name' }] : []),
    ...(offer ? [{ text: offer, cell: sender.offer ? 'sender.offer' : 'sender.value_proposition' }] : []),
    ...(from ? [{ text: from, cell: sender.name ? 'sender.name' : 'sender.full_name' }] : []),
  ]
  return {
    subject: cells.company ?? (first ? `A question, ${first}` : 'A question'),
    body: body.filter(Boolean).join('\n\n'),
    claims: [
      ...claims,
      ...named,
      ...(cells.company && !claims.some((claim) => claim.cell === 'company')
        ? [{ text: cells.company, cell: 'company' }]
        : []),
    ],
  }
}

/** Inserts the opening after the greeting if there is one, otherwise at the beginning. */
function withOpening(template: { subject: string; body: string }, opening: string) {
  if (!opening) return template
  const [greeting = '', ...rest] = template.body.split(/\n\s*\n/)
  const greets = greeting.length < 60 && /[,!:]\s*$/.test(greeting) && rest.length > 0
  const parts = greets ? [greeting, opening, ...rest] : [opening, greeting, ...rest]
  return { subject: template.subject, body: parts.join('\n\n') }
}

function placeSentence(
  { title, company, city, country }: Record<string, string>,
  pick: Pick,
): Sentence | null {
  const where = city ?? country
  const place = where ? ` in ${where}` : ''
  const claims = toClaims({ title, company, [city ? 'city' : 'country']: where })
  if (title && company)
    return {
      text: pick([
        `I am writing to you as ${title} at ${company}${place}.`,
        `As ${title} at ${company}${place}, you are the person I wanted to ask.`,
        `You are ${title} at ${company}${place}, which is why I turn to you.`,
      ]),
      claims,
    }
  if (company)
    return {
      text: pick([
        `I am writing to you about ${company}${place}.`,
        `My note is about ${company}${place}.`,
        `${company}${place} is why I am writing.`,
      ]),
      claims,
    }
  if (title)
    return {
      text: pick([`I am writing to you as ${title}${place}.`, `You are ${title}${place}, so I turn to you.`]),
      claims,
    }
  return where ? { text: `I am writing to you${place}.`, claims } : null
}

type Pick = (options: string[]) => string

/** A sentence from the longest of the other cells, quoted word for word. */
function factSentence(cells: Record<string, string>, pick: Pick): Sentence | null {
  const facts = Object.entries(cells)
    .filter(([key, value]) => !PLUMBING.test(key) && !COMMON.has(key) && isSayable(value))
    .toSorted(([a, left], [b, right]) => right.length - left.length || (a < b ? -1 : 1))
  const [key, value] = facts[0] ?? []
  if (!key || !value) return null
  const label = key.replaceAll('_', ' ')
  const said = value.replace(/[.!?…]+$/, '')
  return {
    text: pick([
      `My notes on ${label} say: ${said}.`,
      `Under ${label} I have: ${said}.`,
      `What I know of ${label}: ${said}.`,
    ]),
    claims: [{ text: said, cell: key }],
  }
}

const isSayable = (value: string) =>
  value.length > 2 &&
  value.length <= LONGEST_CELL &&
  !/[\n<>{}[\]]|https?:|@/i.test(value) &&
  /\p{L}/u.test(value)

const toClaims = (cells: Record<string, string | undefined>): Claim[] =>
  Object.entries(cells).flatMap(([cell, text]) => (text ? [{ text, cell }] : []))
