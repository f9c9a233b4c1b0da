import { z } from 'zod'
import { OPENING } from '#lib/agent/instructions'
import { asRecord } from '#lib/domain/text/record'

/** The result of a call, in the form that the tools write. */
export const Answer = z.object({
  ok: z.boolean().optional(),
  result: z.unknown().optional(),
  error: z.object({ code: z.string().optional(), message: z.string().optional() }).optional(),
  denied: z.boolean().optional(),
})
type Answer = z.output<typeof Answer>
export type Done = { operation: string; given: object; answer: Answer }
export type Move = { text?: string; call?: { operation: string; arguments: Record<string, unknown> } }
type Asked = { said: string; before: string; page: Record<string, unknown>; done: Done[] }
const Campaign = z.object({ campaign_id: z.string(), name: z.string(), status: z.string() })
type Campaign = z.output<typeof Campaign>

const WHO =
  'I am the offline assistant. No language model is configured, so I only understand a few requests.'
const HELP = `${WHO} Try:

- list my campaigns, find the lead ann@acme.example, list templates
- why is “Spring” not sending?
- forecast of “Spring”
- pause “Spring”, resume “Spring”
- create a template “Hello” with the subject “Hi” and the text “Good day”`

const PLACES: Record<string, string> = {
  campaigns:
    'Here I can list campaigns, say why one is not sending, forecast one, and pause or resume one when you approve it.',
  templates: 'Here I can list templates, and create one when you approve it.',
  inbox: 'Here I can find leads by their address and say why a campaign is not sending.',
}

/** The name in quotes; otherwise the text after `behind` on its line, up to `before` if that is given. */
function nameIn(said: string, behind: RegExp, before?: RegExp): string {
  const quoted = /[“"'‘]([^“”"'‘’]+)[”"'’]/.exec(said)?.[1]
  const name = quoted ?? (before ? between(said, behind, before) : rest(said, behind)) ?? ''
  const bare = name.replace(/^(?:the |my |this |campaign )+/i, '').replace(/(?<![?.!])[?.!]+$/, '')
  return /^(?:it|this|that|campaign|this campaign)$/i.test(bare.trim()) ? '' : bare.trim()
}

/** The text after the first match of `behind`, to the end of its line. */
function rest(said: string, behind: RegExp): string | null {
  const word = behind.exec(said)
  return word && (said.slice(word.index + word[0].length).split('\n', 1)[0] ?? null)
}

/** Searches for each word separately: one expression for both would start over at every match of the first. */
function between(said: string, behind: RegExp, before: RegExp): string | null {
  const line = rest(said, behind) ?? ''
  const end = before.exec(line)
  return end && line.slice(0, end.index)
}

const resultFields = (done: Done | undefined) => asRecord(done?.answer.result)
const listIn = (value: unknown) => (Array.isArray(value) ? value.map(asRecord) : [])
const refused = (done: Done): Move => ({
  text: done.answer.denied
    ? 'OK, I will leave it as is.'
    : `That did not work: ${done.answer.error?.message ?? 'the response could not be read.'}`,
})
const at = (instant: unknown) =>
  typeof instant === 'string' ? `${instant.slice(0, 16).replace('T', ' ')} UTC` : 'no known time'
/** Names are shown as text, so any Markdown in them is escaped. */
const plain = (text: unknown) => String(text).replace(/[\\`*_[\]<>#|!]/g, '\\$&')
const lines = (items: string[], none: string) =>
  items.length > 0 ? items.map((item) => `- ${item}`).join('\n') : none

type Found = { campaign: Campaign } | { move: Move }

/** The campaign that is meant: the one with this name, otherwise the one whose page is open. */
function theCampaign({ page, done }: Asked, name: string): Found {
  const call = (operation: string, given: Record<string, unknown>): Found => ({
    move: { call: { operation, arguments: given } },
  })
  const onPage = typeof page.campaign_id === 'string' ? page.campaign_id : ''
  const read = done.find(({ operation }) => operation === 'readCampaign' || operation === 'listCampaigns')
  if (!read && name) return call('listCampaigns', { search: name, page_size: 5 })
  if (!read && onPage) return call('readCampaign', { campaign_id: onPage })
  if (!read) return { move: { text: 'Which campaign? Put its name in quotes.' } }
  if (!read.answer.ok) return { move: refused(read) }
  if (read.operation === 'readCampaign') return { campaign: Campaign.parse(read.answer.result) }
  const all = z.array(Campaign).parse(resultFields(read).campaigns)
  const exact = all.filter((one) => one.name.toLowerCase() === name.toLowerCase())
  const [only, ...others] = exact.length > 0 ? exact : all
  if (!only) return { move: { text: `No campaign is named ${plain(name)}.` } }
  if (others.length === 0) return { campaign: only }
  return {
    move: {
      text: `Which of them?\n\n${lines(
        all.map((one) => plain(one.name)),
        '',
      )}`,
    },
  }
}

/** One call on a campaign, and the text that reports its result. */
function onCampaign(
  asked: Asked,
  name: string,
  operation: string,
  report: (answer: Record<string, unknown>, campaign: Campaign) => string,
  before?: (campaign: Campaign) => string,
): Move {
  const named = theCampaign(asked, name)
  if ('move' in named) return named.move
  const { campaign } = named
  const own = asked.done.findLast((one) => one.operation === operation)
  const given = operation === 'forecastCampaign' ? { limit: 0 } : {}
  // The content changed after it was approved, so the call is shown again for a new approval.
  if (!own || own.answer.error?.code === 'confirmation_outdated')
    return {
      ...(before ? { text: before(campaign) } : {}),
      call: { operation, arguments: { campaign_id: campaign.campaign_id, ...given } },
    }
  return own.answer.ok ? { text: report(resultFields(own), campaign) } : refused(own)
}

function explained(answer: Record<string, unknown>, { name, status }: Campaign): string {
  const until = answer.until ? ` It can send again at ${at(answer.until)}.` : ''
  const offer = status === 'paused' ? ' Say “resume it” and I will ask for your approval.' : ''
  return `**${plain(name)}** is ${status}. ${plain(answer.message)}${until}${offer}`
}

function forecast(answer: Record<string, unknown>, { name }: Campaign): string {
  const warnings = listIn(answer.warnings).map(({ message }) => plain(message))
  const about =
    answer.total_actions === 0
      ? 'has nothing left to do.'
      : `has ${answer.total_actions} ${answer.total_actions === 1 ? 'action' : 'actions'} to come, the first at ${at(answer.first_at)}, ${answer.finish_at === null ? 'and more after ten years' : `the last at ${at(answer.finish_at)}`}.`
  return `**${plain(name)}** ${about}${warnings.length > 0 ? `\n\n${lines(warnings, '')}` : ''}`
}

type Listing = { operation: string; key: string; show: (row: Record<string, unknown>) => string }
const LISTINGS: [RegExp, Listing][] = [
  [/template/i, { operation: 'listTemplates', key: 'templates', show: (row) => plain(row.name) }],
  [
    /dataset|spreadsheet/i,
    {
      operation: 'listDatasets',
      key: 'datasets',
      show: (row) => `${plain(row.dataset_name)} (${row.row_count} rows)`,
    },
  ],
  [/mailbox/i, { operation: 'listMailboxes', key: 'items', show: (row) => plain(row.address) }],
  [
    /campaign/i,
    { operation: 'listCampaigns', key: 'campaigns', show: (row) => `${plain(row.name)}: ${row.status}` },
  ],
]

/** The address or name of the lead to find. */
function leadIn(said: string): string | null {
  if (!/\bleads?\b/i.test(said)) return null
  const address = /(?<![^\s“”"'])([^\s“”"']+@[^\s“”"'?]*)/.exec(said)?.[1]
  return address ?? (nameIn(said, /\bleads?\s+(?:named |called |with the name |by the name of )?/i) || null)
}

function listed({ said, done }: Asked): Move | null {
  const lead = leadIn(said)
  const listing = lead
    ? {
        operation: 'search',
        key: 'leads',
        show: (row: Record<string, unknown>) =>
          `${plain(row.email)} in ${plain(row.campaign_name)}: ${row.status}`,
      }
    : LISTINGS.find(([words]) => words.test(said))?.[1]
  if (!listing) return null
  const own = done.find(({ operation }) => operation === listing.operation)
  const part = nameIn(said, /(?:named|called|with the name)\s+/i)
  const given = lead ? { q: lead } : listing.operation === 'listCampaigns' && part ? { search: part } : {}
  if (!own) return { call: { operation: listing.operation, arguments: given } }
  if (!own.answer.ok) return refused(own)
  const rows = listIn(resultFields(own)[listing.key])
  return { text: lines(rows.map(listing.show), 'There is none.') }
}

function newTemplate({ said, done }: Asked): Move {
  const [name, subject, body] = [...said.matchAll(/[“"]([^“”"]+)[”"]/g)].map(([, text = '']) => text)
  if (!name || !subject || !body)
    return { text: 'Say: create a template “name” with the subject “…” and the text “…”.' }
  const own = done.find(({ operation }) => operation === 'createTemplate')
  if (!own) return { call: { operation: 'createTemplate', arguments: { name, content: { subject, body } } } }
  return own.answer.ok ? { text: `Created the template **${plain(name)}**.` } : refused(own)
}

function opening({ page }: Asked): Move {
  const place =
    String(page.path ?? '')
      .split('/')
      .filter(Boolean)[0] ?? ''
  return {
    text: `${WHO} ${PLACES[place] ?? 'I can list campaigns, templates, datasets and leads, say why a campaign is not sending, forecast it, and pause or resume it when you approve.'}`,
  }
}

/** The next move, chosen by the user's words and by the calls already made for them. */
export function nextMove(asked: Asked): Move {
  const { said, before } = asked
  if (said === OPENING) return opening(asked)
  const verb = /\b(pause|resume)\b/i.exec(said)?.[1]?.toLowerCase()
  // “Resume it” means the campaign that was mentioned before.
  const spoken = nameIn(said, /(?:pause|resume|forecast(?: of| for)?)\s+/i)
  const name = spoken || nameIn(before, /\bis\s+/i, /\s(?:not|n't|paused|stuck)/i)
  if (/\bwhy\b|not sending|isn.t sending|stuck/i.test(said))
    return onCampaign(
      asked,
      nameIn(said, /(?:is|isn.t|does|doesn.t)\s+/i, /\s(?:not|n.t|stuck|paused|send)/i),
      'explainCampaign',
      explained,
    )
  if (verb)
    return onCampaign(
      asked,
      name,
      `${verb}Campaign`,
      (answer) => `Done: **${plain(answer.name)}** is ${answer.status}.`,
      (campaign) => `I ask to ${verb} ${plain(campaign.name)}.`,
    )
  if (/\bforecast/i.test(said) || between(said, /when /i, /finish|done/i) !== null)
    return onCampaign(asked, name, 'forecastCampaign', forecast)
  if (between(said, /\b(?:create|new|make|add)\b/i, /template/i) !== null) return newTemplate(asked)
  const list = /\b(?:list|show|find|which|search|what)\b/i.test(said) ? listed(asked) : null
  return list ?? { text: HELP }
}
