import { typedKeys } from '#lib/domain/text/record'

/** Every status of a campaign, in the order of an undisturbed life. */
export const CAMPAIGN_STATUSES = [
  'draft',
  'scheduled',
  'launching',
  'active',
  'draining',
  'paused',
  'completed',
  'failed',
] as const
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number]

/** Every status of a lead in a campaign. `processed_leads` counts all but the first two. */
export const LEAD_STATUSES = [
  'pending',
  'active',
  'completed',
  'replied',
  'bounced',
  'unsubscribed',
  'failed',
  'skipped',
] as const
export type LeadStatus = (typeof LEAD_STATUSES)[number]

/**
 * The transitions of a campaign. `launch` and `schedule` are the two outcomes of POST launch; `start`, `hold` and `cancel` the
 * three outcomes of a scheduled start; `halt` is every pause that the product decides itself (bounces, complaints, lost sender).
 */
const TRANSITIONS = {
  launch: { draft: 'launching', failed: 'launching' },
  schedule: { draft: 'scheduled' },
  start: { scheduled: 'launching' },
  hold: { scheduled: 'paused' },
  cancel: { scheduled: 'draft' },
  enrolled: { launching: 'active' },
  fail: { launching: 'failed' },
  drain: { active: 'draining' },
  complete: { active: 'completed', draining: 'completed' },
  // Leads that had begun wait again: an uncertain send did not leave, or their owner undoes a stop.
  reopen: { completed: 'draining' },
  // The same for leads that had not begun: the campaign takes on new leads again.
  restart: { completed: 'active', draining: 'active' },
  // Pausing a paused campaign is legal, changes nothing, and returns the campaign.
  pause: { scheduled: 'paused', launching: 'paused', active: 'paused', draining: 'paused', paused: 'paused' },
  halt: { active: 'paused', draining: 'paused' },
} as const satisfies Record<string, Partial<Record<CampaignStatus, CampaignStatus>>>

export type CampaignVerb = keyof typeof TRANSITIONS
export const CAMPAIGN_VERBS = typedKeys(TRANSITIONS)

/** The status that `verb` leads to, or null if it is refused. Resume depends on more: see `statusAfterResume`. */
export function statusAfter(verb: CampaignVerb, status: CampaignStatus): CampaignStatus | null {
  const row: Partial<Record<CampaignStatus, CampaignStatus>> = TRANSITIONS[verb]
  return row[status] ?? null
}

/** Each status from which `verb` is allowed, with the one that it leads to: the guard and the target of updates. */
export const listMoves = (verb: CampaignVerb): [from: CampaignStatus, to: CampaignStatus][] =>
  CAMPAIGN_STATUSES.flatMap((from) => {
    const to = statusAfter(verb, from)
    return to === null ? [] : [[from, to]]
  })

/** Columns of a campaign that are set only in these statuses: any other status clears them. */
export const KEPT_WHILE = {
  paused_from: ['paused'],
  paused_reason: ['paused'],
  completed_at: ['completed'],
  next_slot_at: ['active', 'draining'],
  // A scheduled start that was cancelled leaves a draft, with the reason.
  launch_error: ['failed', 'draft'],
} as const satisfies Record<string, readonly CampaignStatus[]>

/**
 * The status after a resume: what the campaign was before, except that a scheduled one whose time has passed starts now. Null if
 * it is not paused. `paused_from` is the status at the time of the pause (null, in rows written before it was stored, means
 * active).
 */
export function statusAfterResume(
  campaign: {
    status: CampaignStatus
    paused_from: CampaignStatus | null
    start_date: Date | null
  },
  now: Date,
): CampaignStatus | null {
  if (campaign.status !== 'paused') return null
  if (campaign.paused_from !== 'scheduled') return campaign.paused_from ?? 'active'
  return campaign.start_date && campaign.start_date > now ? 'scheduled' : 'launching'
}

/** Only these statuses may send. */
export function mayDispatch(status: CampaignStatus): boolean {
  return status === 'active' || status === 'draining'
}

/** Whether its leads have begun, so that their state and no longer the dataset decides what comes. */
export function hasLaunched(campaign: {
  status: CampaignStatus
  paused_from: CampaignStatus | null
}): boolean {
  const status = campaign.status === 'paused' ? (campaign.paused_from ?? 'active') : campaign.status
  return mayDispatch(status) || status === 'completed'
}

/**
 * Whether the campaign keeps the texts it was launched with. A draft, and a failed campaign that may be launched again, follow
 * their templates.
 */
export function keepsTexts(status: CampaignStatus): boolean {
  return status !== 'draft' && status !== 'failed'
}

/** Whether texts of its templates may still be sent, so that changes can be taken over. */
export function mayTakeTexts(status: CampaignStatus): boolean {
  return keepsTexts(status) && status !== 'completed'
}

export function mayDelete(status: CampaignStatus): boolean {
  return status === 'draft' || status === 'paused' || status === 'completed' || status === 'failed'
}

/** `all`: every field; `unreached`: all but the dataset and the steps that some lead has reached; `none`: refused. */
export function editScope(status: CampaignStatus): 'all' | 'unreached' | 'none' {
  if (status === 'draft') return 'all'
  return status === 'scheduled' || status === 'paused' ? 'unreached' : 'none'
}

/** The fields whose change is refused, for the text of the 409; empty means the edit may be written. */
export function refusedEdits(edit: {
  status: CampaignStatus
  /** Fields whose value differs from the stored one. */
  changed: readonly string[]
  /** Steps whose stored and new settings differ, including removed ones (see `changedSteps`). */
  changed_steps: readonly number[]
  /** The highest step that any lead has begun; 0 before the first. */
  reached_step: number
}): string[] {
  const scope = editScope(edit.status)
  if (scope === 'all') return []
  if (scope === 'none') return [...edit.changed]
  const reached = edit.changed_steps.filter((step) => step <= edit.reached_step)
  const dataset = edit.changed.filter((field) => field === 'dataset_id')
  return [...dataset, ...reached.map((step) => `steps_config[${step - 1}]`)]
}

/** Numbers (1…n) of the steps that differ between two step lists; key order inside a step does not matter. */
export function changedSteps(before: readonly unknown[], after: readonly unknown[]): number[] {
  const changed: number[] = []
  for (let index = 0; index < Math.max(before.length, after.length); index++) {
    if (stable(before[index]) !== stable(after[index])) changed.push(index + 1)
  }
  return changed
}

/** Whether an edit changed the first step that no lead has reached. */
export const editsNextStep = (
  before: { steps_config: readonly unknown[] },
  after: { steps_config: readonly unknown[] },
  reached: number,
): boolean => changedSteps([before.steps_config[reached]], [after.steps_config[reached]]).length > 0

function stable(value: unknown): string {
  return (
    JSON.stringify(value, (_key, part: unknown) =>
      part !== null && typeof part === 'object' && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
        : part,
    ) ?? 'absent'
  )
}
