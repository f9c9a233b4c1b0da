import type { Arguments, Toolbox } from '#lib/agent/toolbox'
import { capital } from '#lib/domain/text/capital'
import { asRecord } from '#lib/domain/text/record'

/** The effect of a call, as shown before anybody approves it. `fields` are the arguments, in words. */
export type Effect = { title: string; sentences: string[]; fields: { label: string; value: string }[] }

type Call = { operation: string; arguments: Arguments }
type Told = { name: string; subject: Arguments; preview: Arguments; given: Arguments }

/** For each id argument: the operation that reads the object, and the field that holds its name. */
export const SUBJECTS: Readonly<Record<string, readonly [operation: string, name: string]>> = {
  campaign_id: ['readCampaign', 'name'],
  template_id: ['readTemplate', 'name'],
  dataset_id: ['readDataset', 'dataset_name'],
  mailbox_id: ['readMailbox', 'address'],
  domain_id: ['readDomain', 'domain'],
  webhook_id: ['readWebhook', 'url'],
  run_id: ['readPersonalizationRun', 'dataset_name'],
  account_id: ['readConnectedAccount', 'name'],
  connected_account_id: ['readConnectedAccount', 'name'],
  post_id: ['readSocialPost', 'text'],
}
const SHOWN_CHARS = 300

const quoted = (name: unknown) => `“${String(name).slice(0, 120)}”`
const count = (number: number, thing: string) => `${number} ${thing}${number === 1 ? '' : 's'}`
const asNumber = (value: unknown) => (typeof value === 'number' ? value : 0)
const messagesIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.map((one) => String(asRecord(one).message)) : []

/** An instant in the campaign's time zone: “Mon 23 Nov, 09:00 (Europe/Berlin)”. */
function at(instant: unknown, zone: unknown): string {
  if (typeof instant !== 'string') return 'at no known time'
  const timeZone = typeof zone === 'string' ? zone : 'UTC'
  const form = {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  } as const
  const local = new Intl.DateTimeFormat('en-GB', { ...form, hour12: false, timeZone }).format(
    new Date(instant),
  )
  return `${local} (${timeZone})`
}

/** The cc and bcc recipients. */
const copies = ({ cc, bcc }: Arguments): string[] =>
  [cc, bcc].some((addresses) => Array.isArray(addresses) && addresses.length > 0)
    ? [`Copies go to ${[cc, bcc].flat().filter(Boolean).join(', ')}.`]
    : []

const files = ({ attachment_ids }: Arguments): string[] =>
  Array.isArray(attachment_ids) && attachment_ids.length > 0
    ? [`${count(attachment_ids.length, 'file')} ${attachment_ids.length === 1 ? 'goes' : 'go'} with it.`]
    : []

/** Which attachments of a forwarded message are included. */
const ownFiles = ({ files }: Arguments): string =>
  Array.isArray(files)
    ? files.length > 0
      ? `${count(files.length, 'file')} of it`
      : 'none of its files'
    : 'its attachments'

/** A forecast ends after ten years, even if actions remain after that; `finish_at` is null then. */
const lastAt = ({ finish_at }: Arguments, zone: unknown): string =>
  finish_at === null ? 'in more than ten years' : at(finish_at, zone)

function toCome({ preview, subject }: Told): string[] {
  const forecast = asRecord(preview.forecastCampaign)
  if (forecast.total_actions === undefined) return []
  if (forecast.total_actions === 0) return ['Nothing is left to send.']
  const zone = forecast.timezone ?? subject.timezone
  return [
    `${count(asNumber(forecast.total_actions), 'action')} to come: the next ${at(forecast.first_at, zone)}, the last ${lastAt(forecast, zone)}.`,
  ]
}

const warnings = ({ preview }: Told): string[] => messagesIn(asRecord(preview.forecastCampaign).warnings)

const blocks = ({ preview }: Told): string[] =>
  messagesIn(asRecord(preview.readLaunchChecks).blocks).map((message) => `In the way: ${message}`)

const short = (value: unknown) =>
  value === null ? 'nothing' : `“${String(value).replace(/\s+/g, ' ').slice(0, 120)}”`

/** What an edit would change, for which leads, and how it changes the plan. */
function edited({ preview, subject }: Told): string[] {
  const { changes, forecast_before, forecast_after } = asRecord(preview.dry_run)
  if (!Array.isArray(changes)) return []
  if (changes.length === 0) return ['No changes from the current version.']
  const [before, after] = [asRecord(forecast_before), asRecord(forecast_after)]
  const zone = after.timezone ?? subject.timezone
  const moved =
    before.finish_at === after.finish_at && before.total_actions === after.total_actions
      ? []
      : [
          `${count(asNumber(after.total_actions), 'action')} to come instead of ${asNumber(before.total_actions)}, the last ${lastAt(after, zone)} instead of ${lastAt(before, zone)}.`,
        ]
  const told = changes
    .map(asRecord)
    .map(
      ({ what, before: was, after: is, leads }) =>
        `${what}: ${short(was)} becomes ${short(is)}${asNumber(leads) > 0 ? `, for ${count(asNumber(leads), 'lead')}` : ''}.`,
    )
  return [...told, ...moved]
}

const listed = (value: unknown) => (Array.isArray(value) ? value.length : 0)

const leadsLeft = ({ subject }: Told) => asNumber(subject.total_leads) - asNumber(subject.processed_leads)

/** The calls that most often need approval, each with its own sentences. */
const SENTENCES: Readonly<Record<string, (told: Told) => string[]>> = {
  resumeCampaign: (told) => [
    `Resume ${quoted(told.name)}: ${count(leadsLeft(told), 'lead')} ${leadsLeft(told) === 1 ? 'continues' : 'continue'}.`,
    ...toCome(told),
    ...warnings(told),
  ],
  sendNowOnce: (told) => [
    `Send now from ${quoted(told.name)}, outside its sending hours, just this once. Its limits still apply.`,
    ...toCome(told),
    ...warnings(told),
  ],
  launchCampaign: (told) => [
    `Launch ${quoted(told.name)}: its leads are enrolled and it starts sending.`,
    ...blocks(told),
    ...toCome(told),
    ...warnings(told),
  ],
  pauseCampaign: (told) => [
    `Pause ${quoted(told.name)}: nothing more is sent from it until it is resumed.`,
    ...(leadsLeft(told) > 0
      ? [`${count(leadsLeft(told), 'lead')} ${leadsLeft(told) === 1 ? 'waits' : 'wait'} where they stand.`]
      : []),
  ],
  addCampaignLeads: (told) => [
    `Add ${count(listed(told.given.rows), 'lead')} to ${quoted(told.name)}, starting with the first step.`,
    ...warnings(told),
  ],
  stopCampaignLeads: ({ name, given }) => [
    `Stop ${count(listed(given.campaign_lead_ids), 'lead')} of ${quoted(name)}: those still waiting get nothing more from it.`,
  ],
  resumeCampaignLeads: (told) => [
    `Let ${count(listed(told.given.campaign_lead_ids), 'stopped lead')} of ${quoted(told.name)} continue where they stopped.`,
    ...warnings(told),
  ],
  retryCampaignLeads: (told) => [
    `Try ${count(listed(told.given.campaign_lead_ids), 'failed lead')} of ${quoted(told.name)} again: the failed step is due immediately.`,
    ...warnings(told),
  ],
  deleteCampaign: ({ name }) => [
    `Delete ${quoted(name)} with its leads and results. This cannot be taken back.`,
  ],
  createTemplate: ({ given }) => [`Create the template ${quoted(given.name)}. Nothing is sent.`],
  deleteTemplate: ({ name }) => [`Delete the template ${quoted(name)}. This cannot be taken back.`],
  deleteDataset: ({ name }) => [
    `Delete the dataset ${quoted(name)} with its rows. This cannot be taken back.`,
  ],
  replyInInbox: ({ preview, given }) => {
    const { counterpart_name, counterpart_address, subject } = asRecord(preview.readInboxThread)
    const to = counterpart_name ?? counterpart_address
    return [
      `Send this answer${to ? ` to ${to}` : ''}${subject ? ` in ${quoted(subject)}` : ''}, at once.`,
      ...copies(given),
      ...files(given),
    ]
  },
  forwardInInbox: ({ preview, given }) => {
    const { subject } = asRecord(preview.readInboxThread)
    return [
      `Forward a message${subject ? ` of ${quoted(subject)}` : ''} to ${given.to}, with what it says and ${ownFiles(given)}, at once.`,
      ...copies(given),
      ...files(given),
    ]
  },
  approvePersonalizationRun: ({ name, subject }) => [
    `Approve the texts of the run over ${quoted(name)}${subject.total === undefined ? '' : `: ${count(asNumber(subject.total), 'lead')}`}. Steps that wait for them may then send.`,
  ],
}

/** The object that a call is about, read with the caller's rights; empty if it cannot be read. */
async function findSubject(toolbox: Toolbox, given: Arguments, signal: AbortSignal) {
  for (const [argument, [operation, field]] of Object.entries(SUBJECTS)) {
    if (typeof given[argument] !== 'string' || !toolbox.operations.some(({ name }) => name === operation))
      continue
    const key = operation === 'readConnectedAccount' ? 'account_id' : argument
    const subject = await toolbox.call(operation, { [key]: given[argument] }, signal).catch(() => null)
    if (subject) return { argument, subject, name: String(subject[field] ?? '') }
  }
  return { argument: null, subject: {}, name: '' }
}

const argumentLabel = (key: string) => {
  const words = key.replaceAll('_', ' ')
  return capital(words)
}

function shownValue(value: unknown): string {
  const isPlain = value === null || typeof value !== 'object'
  const text = Array.isArray(value) && value.every((one) => typeof one === 'string') ? value.join(', ') : null
  const shown = text ?? (isPlain ? String(value ?? 'none') : JSON.stringify(value))
  return shown.length > SHOWN_CHARS ? `${shown.slice(0, SHOWN_CHARS)}…` : shown
}

/** Nested arguments, one level deep: a template's content is worth reading here; anything deeper is in the details. */
const listFields = (given: Arguments, about: string | null): Effect['fields'] =>
  Object.entries(given)
    .filter(([key]) => key !== about)
    .flatMap(([key, value]) =>
      value !== null && typeof value === 'object' && !Array.isArray(value)
        ? Object.entries(value).map(([inner, one]) => ({
            label: argumentLabel(inner),
            value: shownValue(one),
          }))
        : [{ label: argumentLabel(key), value: shownValue(value) }],
    )

/**
 * What exactly would happen, in words: the object by its name, the result of the operation's own preview, and the arguments. Our
 * code writes this from the stored call; the model never does.
 */
export async function describeEffect(
  toolbox: Toolbox,
  { operation, arguments: given }: Call,
  preview: Arguments,
  signal: AbortSignal,
): Promise<Effect> {
  const { argument, subject, name } = await findSubject(toolbox, given, signal)
  const summary = toolbox.operations.find((known) => known.name === operation)?.summary ?? operation
  const told = { name, subject, preview, given }
  // If the object has no name, only the operation's summary can be shown.
  const isNamed = name !== '' || !Object.keys(SUBJECTS).some((key) => key in given)
  const [title, ...sentences] = (isNamed && SENTENCES[operation]?.(told)) || []
  return {
    title: title ?? `${summary}${name ? `: ${quoted(name)}` : ''}.`,
    sentences: [...sentences, ...edited(told)],
    fields: listFields(given, argument),
  }
}
