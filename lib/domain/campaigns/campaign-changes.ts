import type { ScheduleTimezone } from '#lib/domain/calendar/schedule'
import { listWindows } from '#lib/domain/calendar/sending-windows'
import { changedSteps } from '#lib/domain/campaigns/campaign-status'
import { stepAction } from '#lib/domain/campaigns/campaign-type'
import type { SenderRotation } from '#lib/domain/campaigns/sender-rotation'
import type { SkipEmails } from '#lib/domain/campaigns/skip-emails'
import { writtenText } from '#lib/domain/campaigns/step-text'
import { ACTION_WORDS, CONDITION_WORDS } from '#lib/domain/campaigns/step-words'
import { capital } from '#lib/domain/text/capital'

type Variant = {
  label: string
  weight: number
  type: 'TEMPLATE' | 'AI'
  template_id: string | null
  sender_profile_id: string | null
  subject: string | null
  message_template: string | null
}
export type ChangedStep = {
  step: number
  delay_days: number
  channel: 'email' | 'social'
  action_type: keyof typeof ACTION_WORDS
  condition: keyof typeof CONDITION_WORDS
  variants: Variant[]
  subject: string | null
  message_template: string | null
  ai_personalization_enabled: boolean
  track_clicks: boolean
  track_opens: boolean
}
type LeadFiles = { column: string; attachment_ids: string[]; without: 'skip' | 'hold' }
type Text = {
  subject: string | null
  body: string
  attachment_ids?: string[] | undefined
  lead_files?: LeadFiles | undefined
}

/** The names of the objects with an id, and the texts of the templates, on this side of the edit. */
export type StepNames = {
  template: (id: string) => string | undefined
  profile: (id: string) => string | undefined
  text?: (id: string) => Text | undefined
}

export type Line = { what: string; before: string | null; after: string | null }
export type StepPair = { before: ChangedStep | null; after: ChangedStep | null }

const days = (count: number) => (count === 1 ? '1 day' : `${count} days`)
const onOff = (value: boolean) => (value ? 'On' : 'Off')

const leadFilesFact = ({ attachment_ids, column, without }: LeadFiles) =>
  `${attachment_ids.length} by ${column}; ${without === 'hold' ? 'leads without a file wait' : 'emails go out without a file'}`

/** The settings of a step, field by field, in the words of the editor. */
export function stepFacts(step: ChangedStep, names: StepNames): Record<string, string | null> {
  const variants = step.variants.map(({ label, weight, type, template_id, sender_profile_id }) => {
    const template = template_id ? `, ${names.template(template_id) ?? 'no template'}` : ''
    const profile = sender_profile_id && names.profile(sender_profile_id)
    return `${label}: ${weight} %${template}${profile ? `, as ${profile}` : ''}${type === 'AI' ? ', AI' : ''}`
  })
  const texts = step.variants.flatMap((variant): [string, string][] => {
    const { label, template_id } = variant
    const written = writtenText(step, variant)
    const text: Text | undefined = template_id
      ? names.text?.(template_id)
      : { subject: written.subject, body: written.message_template ?? '' }
    if (!text) return []
    const files = text.attachment_ids?.length ?? 0
    return [
      [`Text of ${label}`, [text.subject?.trim(), text.body].filter(Boolean).join('\n\n')],
      ...(files > 0 ? [[`Files of ${label}`, `${files}`] satisfies [string, string]] : []),
      ...(text.lead_files
        ? [[`Files for each lead of ${label}`, leadFilesFact(text.lead_files)] satisfies [string, string]]
        : []),
    ]
  })
  return {
    Place: `${step.step}`,
    Does: ACTION_WORDS[stepAction(step)],
    Waits: days(step.delay_days),
    Happens: CONDITION_WORDS[step.condition],
    Subject: step.subject || null,
    Text: step.variants.length > 0 ? null : step.message_template || null,
    Variants: variants.length > 0 ? variants.join('\n') : null,
    ...Object.fromEntries(texts),
    'AI texts': onOff(step.ai_personalization_enabled),
    'Track clicks': onOff(step.track_clicks),
    'Track opens': onOff(step.track_opens),
  }
}

/** "Step 2, Email, is new" */
export function stepTitle({ before, after }: StepPair): string {
  const step = after ?? before
  if (!step) return ''
  const end = after === null ? ', is removed' : before === null ? ', is new' : ''
  return `Step ${step.step}, ${ACTION_WORDS[stepAction(step)]}${end}`
}

/** The differences between the two sides of one step. For a new step, its settings; for a removed one, nothing more. */
export function stepLines(
  { before, after }: StepPair,
  namesBefore: StepNames,
  namesAfter = namesBefore,
): Line[] {
  if (!after) return []
  const now = stepFacts(after, namesAfter)
  if (!before)
    return Object.entries(now).flatMap(([what, value]) =>
      value === null || value === 'Off' || what === 'Place' || what === 'Does'
        ? []
        : [{ what, before: null, after: value }],
    )
  const then = stepFacts(before, namesBefore)
  return [...new Set([...Object.keys(then), ...Object.keys(now)])].flatMap((what) => {
    const [from, to] = [then[what] ?? null, now[what] ?? null]
    return from === to ? [] : [{ what, before: from, after: to }]
  })
}

/** Whether two steps have the same settings, regardless of position. */
const isSame = (a: ChangedStep, b: ChangedStep) =>
  changedSteps([{ ...a, step: 0 }], [{ ...b, step: 0 }]).length === 0

/**
 * Matches the steps of two lists: first equal steps, wherever they stand, then of the rest those at the same position; what
 * remains is new or removed. In the order of the steps.
 */
export function pairSteps(before: readonly ChangedStep[], after: readonly ChangedStep[]): StepPair[] {
  const left = new Set(before)
  const pairs = new Map<ChangedStep, ChangedStep>()
  const pair = (step: ChangedStep, partner: ChangedStep | undefined) => {
    if (!partner || !left.delete(partner)) return
    pairs.set(step, partner)
  }
  // Prefers the same position, so that among equal steps none seems moved.
  for (const [index, step] of after.entries()) {
    const there = before[index]
    if (there && isSame(there, step)) pair(step, there)
  }
  for (const step of after)
    if (!pairs.has(step))
      pair(
        step,
        [...left].find((one) => isSame(one, step)),
      )
  for (const [index, step] of after.entries()) if (!pairs.has(step)) pair(step, before[index])
  const gone = [...left].map((step): StepPair => ({ before: step, after: null }))
  const kept = after.map((step): StepPair => ({ before: pairs.get(step) ?? null, after: step }))
  const place = ({ before: was, after: is }: StepPair) => (is ?? was)?.step ?? 0
  return [...gone, ...kept].toSorted((a, b) => place(a) - place(b))
}

/** The settings of a campaign, besides its steps, that an edit may change. Instants are ISO texts. */
export type ChangedSettings = {
  name: string
  description: string | null
  dataset_id: string
  type: string
  launch_type: string
  start_date: string | null
  daily_limit: number
  sending_window_start: string
  sending_window_end: string
  holiday_country: string | null
  holiday_region: string | null
  sending_windows: readonly { start: string; end: string }[] | null
  min_interval_seconds: number
  timezone: string
  schedule_timezone: ScheduleTimezone
  send_days: readonly string[]
  alias_ids: readonly string[] | null
  connected_account_id: string | null
  sender_rotation: SenderRotation
  match_providers: boolean
  system_prompt: string | null
  auto_variant_weights: boolean
  unreviewed_launch_policy: string
  stop_on_company_reply: boolean
  skip_emails: SkipEmails
  contact_policy_override: string | null
  bcc_address: string | null
}
export type SettingNames = {
  dataset: (id: string) => string | undefined
  mailbox: (id: string) => string | undefined
  account: (id: string) => string | undefined
}

const POLICIES: Record<string, string> = {
  launch_default: 'Send the step’s own text',
  hold: 'Hold',
  cancel: 'Cancel a scheduled start',
}
const SKIPPED_EMAILS: Record<SkipEmails, string> = {
  none: 'None',
  invalid: 'Invalid ones',
  invalid_and_risky: 'Invalid and risky addresses',
}
const hours = ({ start, end }: { start: string; end: string }) =>
  start === end ? 'All day' : `${start.slice(0, 5)}–${end.slice(0, 5)}`

function settingFacts(of: ChangedSettings, names: SettingNames): Record<string, string | null> {
  const account = of.connected_account_id
  return {
    Name: of.name,
    Notes: of.description || null,
    Dataset: names.dataset(of.dataset_id) ?? of.dataset_id,
    Channels: of.type,
    Start: of.launch_type === 'scheduled' ? (of.start_date ?? 'At a time not chosen yet') : 'At the launch',
    'Daily limit': `${of.daily_limit}`,
    Window: listWindows(of).map(hours).join(', '),
    'Seconds between sends': `${of.min_interval_seconds}`,
    'Time zone': of.timezone,
    'Sending hours in':
      of.schedule_timezone === 'lead' ? 'Each lead’s time zone' : 'The campaign’s time zone',
    Days: of.send_days.map(capital).join(', '),
    Holidays: of.holiday_country && [of.holiday_country, of.holiday_region].filter(Boolean).join(', '),
    Mailboxes: of.alias_ids?.map((id) => names.mailbox(id) ?? id).join(', ') ?? 'Every connected one',
    Account: account === null ? 'Every connected account' : (names.account(account) ?? account),
    'New leads go to':
      of.sender_rotation === 'members' ? 'Members, round robin' : 'The sender with the most capacity',
    'Match providers': onOff(of.match_providers),
    'Instructions for texts': of.system_prompt || null,
    'Automatic weights': onOff(of.auto_variant_weights),
    'Unapproved texts': POLICIES[of.unreviewed_launch_policy] ?? of.unreviewed_launch_policy,
    'A reply ends the whole company': onOff(of.stop_on_company_reply),
    'Skipped addresses': SKIPPED_EMAILS[of.skip_emails],
    'Does not wait for other campaigns': of.contact_policy_override,
    'Copies of emails': of.bcc_address,
  }
}

/** Fields that only the owner sees: changing them changes no message to a lead. By label and by field. */
export const UNSEEN = new Set(['Name', 'Notes', 'Copies of emails'])
export const UNSEEN_FIELDS = new Set(['name', 'description', 'bcc_address'])

export function settingLines(before: ChangedSettings, after: ChangedSettings, names: SettingNames): Line[] {
  const [then, now] = [settingFacts(before, names), settingFacts(after, names)]
  return Object.keys(now).flatMap((what) => {
    const [from, to] = [then[what] ?? null, now[what] ?? null]
    return from === to ? [] : [{ what, before: from, after: to }]
  })
}
