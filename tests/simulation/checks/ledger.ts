import type pg from 'pg'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import type { SenderRotation } from '#lib/domain/campaigns/sender-rotation'
import type { Hours } from '#tests/simulation/worlds/calendar'
import type { ContactPolicy, WorldSpec } from '#tests/simulation/worlds/spec'

/** Rows as the trace in the database holds them: instants are ISO texts, and numbers only where computed here. */
export type CampaignRow = Hours & {
  workspace_id: string
  campaign_id: string
  status: string
  daily_limit: number
  min_interval_seconds: number
  alias_ids: string[] | null
  connected_account_id: string | null
  sender_rotation: SenderRotation
  match_providers: boolean
  schedule_timezone: string
  steps_config: StepConfig[]
  launched_at: string | null
}
/** The outage columns of mailboxes and accounts. */
export type FailingRow = {
  status: string
  failing_cause: string | null
  failing_since: string | null
  failing_tries: number
  next_try_at: string | null
  last_checked_at: string | null
}
export type MailboxRow = FailingRow & {
  workspace_id: string
  mailbox_id: string
  address: string
  smtp: { host: string }
  daily_limit: number
  min_interval_seconds: number
  ramp_up: { start: number; increase_per_day: number; by_health?: boolean } | null
  ramp_up_started_at: string
  imap: unknown
  inbox_polled_at: string | null
  inbox_error: string | null
}
export type RampDayRow = {
  workspace_id: string
  mailbox_id: string
  local_date: string
  allowed: number
  rises_after: string
}
export type AccountRow = FailingRow & {
  workspace_id: string
  account_id: string
  name: string
  provider_account_id: string
  limits: Record<string, { day: number | null; week: number | null }>
  min_interval_seconds: number
  ramp_up: { start: number; increase_per_day: number } | null
  ramp_up_started_at: string
  rest_until: string | null
}
/** What the product remembers of a person as seen by one account. */
export type PersonRow = { workspace_id: string; account_id: string; provider_id: string; relation: string }
export type ChatRow = {
  workspace_id: string
  inbox_message_id: string
  connected_account_id: string | null
  direction: string
  delivery_status: string | null
  at: string
}
export type LeadRow = {
  workspace_id: string
  campaign_lead_id: string
  campaign_id: string
  dataset_id: string
  lead_index: number
  email: string | null
  status: string
  /** The latest event of the lead; 'stopped' may be taken back. */
  last_event: string | null
  last_event_at: string | null
  next_step: number | null
  connected_account_id: string | null
  social_profile: string | null
  social_problem: string | null
  social_provider_id: string | null
  timezone: string | null
}
export type ActionRow = {
  workspace_id: string
  action_id: string
  campaign_lead_id: string
  campaign_id: string
  step: number
  channel: 'email' | 'social'
  action_type: string
  mailbox_id: string | null
  connected_account_id: string | null
  status: string
  performed_at: string
  attempts: number
  message_id: string | null
  outcome: string | null
  lease_until: string | null
}

/** One taken slot: a ledger row that became `sending`, or, without a lead, a chat message by the owner. */
export type Claim = {
  lead: string
  campaign_id: string
  sender_id: string
  channel: 'email' | 'social'
  action_type: string
  step: number
  at: number
  window_day: string
  date: string
  /** False once it is known that nothing was sent: the slot then counts against no limit. */
  counts: boolean
  /** Number of commits when the slot was taken. */
  commits: number
  /** Offers of its action until then. If none is added, the slot is no try of its sender. */
  offers: number
  is_try: boolean
}

/** What one commit changed. */
export type Change =
  | { kind: 'campaigns'; row: CampaignRow; old: CampaignRow | null }
  | { kind: 'connected_accounts'; row: AccountRow; old: AccountRow | null }
  | { kind: 'social_people'; row: PersonRow; old: PersonRow | null }
  | { kind: 'inbox_messages'; row: ChatRow; old: ChatRow | null }
  | { kind: 'mailboxes'; row: MailboxRow; old: MailboxRow | null }
  | { kind: 'ramp_days'; row: RampDayRow; old: RampDayRow | null }
  | { kind: 'campaign_leads'; row: LeadRow; old: LeadRow | null }
  | { kind: 'actions'; row: ActionRow; old: ActionRow | null }
  | { kind: 'suppressions'; row: { workspace_id: string; value: string; reason: string }; old: null }
  | {
      kind: 'absences'
      row: { workspace_id: string; email: string; until: string; status?: 'deleted' }
      old: null
    }
  | {
      kind: 'provider_pauses'
      row: { workspace_id: string; mailbox_id: string; until: string }
      old: null
    }
  | { kind: 'workspaces'; row: { workspace_id: string; timezone: string; status?: 'deleted' }; old: null }

/** Everything committed so far, and the order in which slots were taken. */
export type Ledger = {
  campaigns: Map<string, CampaignRow>
  mailboxes: Map<string, MailboxRow>
  /** By mailbox: the limits decided by its health, oldest first. */
  ramp_days: Map<string, RampDayRow[]>
  accounts: Map<string, AccountRow>
  /** By account and person: their relation, and the commit count at which it was known. */
  people: Map<string, { relation: string; since: number }>
  leads: Map<string, LeadRow>
  actions: Map<string, ActionRow>
  /** Actions in flight whose lease has run out at some time: nobody may offer them any more. */
  lapsed: Set<string>
  /** Erased workspaces; their rows stay known here. */
  erased: Set<string>
  /** By workspace: the parent whose suppression list holds for it too. */
  parents: Map<string, string>
  /** By workspace: its time zone, and the first date from which all counts are by this zone. */
  zones: Map<string, { timezone: string; since: string }>
  /** The same in every workspace. */
  policy: ContactPolicy
  /** By lead that was over: the commit count at which it was resumed. */
  resumed: Map<string, number>
  /** By workspace, and address or "@domain": the commit count at which it was on the list. */
  suppressed: Map<string, number>
  /** By workspace and address: until when the person is away, and the commit count at which that was known. */
  away: Map<string, { until: number; since: number }>
  /** By workspace and address: the commit count at which a reply of the person to any campaign was known. */
  replied: Map<string, number>
  /** By workspace and domain: who replied, when, and the commit count at which that was known. */
  answered: Map<string, { email: string; at: number; since: number }[]>
  claims: Claim[]
  /** How long a throttling provider asks to wait, and, by mailbox, until when. */
  asks_ms: number
  waits: Map<string, number>
  /** Mailboxes whose sign-in has ended, and whose process died before it recorded that. */
  unsaid: Set<string>
  /** By lead, all time zones that it has had. */
  clocks: Map<string, Set<string>>
  /** The mail provider of each recipient domain; unknown where there is no entry. */
  recipients: WorldSpec['recipients']
  /** Mailboxes that sign in by OAuth. */
  granted: Set<string>
  /** By mailbox: until when it sends nothing to some provider. */
  paused: Map<string, number>
  /** Campaigns whose hours were edited: days counted before refer to other hours. */
  moved: Set<string>
  /** Campaigns whose mailboxes or account were edited: their leads may have changed sender. */
  resent: Set<string>
}

export const emptyLedger = (): Ledger => ({
  campaigns: new Map(),
  mailboxes: new Map(),
  ramp_days: new Map(),
  accounts: new Map(),
  people: new Map(),
  leads: new Map(),
  actions: new Map(),
  lapsed: new Set(),
  erased: new Set(),
  parents: new Map(),
  zones: new Map(),
  policy: { one_campaign_at_a_time: false, company_max_active: null, rest_days: 0, colleague_reply_days: 0 },
  resumed: new Map(),
  suppressed: new Map(),
  away: new Map(),
  replied: new Map(),
  answered: new Map(),
  claims: [],
  asks_ms: 0,
  waits: new Map(),
  unsaid: new Set(),
  clocks: new Map(),
  recipients: {},
  granted: new Set(),
  paused: new Map(),
  moved: new Set(),
  resent: new Set(),
})

/** Takes the changes committed since the last call, except those of connections whose own commit is judged later. */
export async function drain(control: pg.Client, except: number[]): Promise<Change[]> {
  const { rows } = await control.query<Change & { id: string }>(
    'WITH taken AS (DELETE FROM sim_log WHERE pid <> ALL ($1) RETURNING *) SELECT * FROM taken ORDER BY id',
    [except],
  )
  return rows
}

/** The latest action: a failed one is replaced in the database, but stays known here. */
export const actionOf = (ledger: Ledger, lead: string, step: number): ActionRow | undefined =>
  [...ledger.actions.values()].findLast((action) => action.campaign_lead_id === lead && action.step === step)

/** Applies a change to the ledger, after it has been checked. */
export function apply(ledger: Ledger, change: Change, commits: number): void {
  switch (change.kind) {
    case 'campaigns': {
      const { row, old } = change
      const hours = (one: CampaignRow) =>
        JSON.stringify([
          one.timezone,
          one.sending_window_start,
          one.sending_window_end,
          one.sending_windows,
          one.holiday_country,
          one.send_days,
        ])
      if (old && hours(row) !== hours(old)) ledger.moved.add(row.campaign_id)
      const senders = (one: CampaignRow) => JSON.stringify([one.alias_ids, one.connected_account_id])
      if (old && senders(row) !== senders(old)) ledger.resent.add(row.campaign_id)
      ledger.campaigns.set(row.campaign_id, row)
      break
    }
    case 'mailboxes':
      ledger.mailboxes.set(change.row.mailbox_id, change.row)
      break
    case 'connected_accounts':
      ledger.accounts.set(change.row.account_id, change.row)
      break
    case 'social_people':
      keepPerson(ledger, change.row, commits)
      break
    case 'inbox_messages':
      // Judged with the slots, among which it counts.
      break
    case 'campaign_leads':
      keepResumed(ledger, change, commits)
      keepClock(ledger, change.row)
      ledger.leads.set(change.row.campaign_lead_id, change.row)
      keepReply(ledger, change.row, commits)
      break
    case 'actions':
      ledger.actions.set(change.row.action_id, change.row)
      break
    case 'suppressions':
      ledger.suppressed.set(listKey(change.row.workspace_id, change.row.value), commits)
      break
    case 'absences': {
      const { workspace_id, email, until, status } = change.row
      const isOver = status === 'deleted'
      ledger.away.set(listKey(workspace_id, email), { until: isOver ? 0 : Date.parse(until), since: commits })
      break
    }
    case 'provider_pauses': {
      const { mailbox_id, until } = change.row
      ledger.paused.set(mailbox_id, Math.max(ledger.paused.get(mailbox_id) ?? 0, Date.parse(until)))
      break
    }
    case 'workspaces':
      if (change.row.status !== 'deleted') break
      ledger.erased.add(change.row.workspace_id)
      for (const [child, parent] of ledger.parents)
        if (parent === change.row.workspace_id) ledger.parents.delete(child)
  }
}

const listKey = (workspaceId: string, value: string) => `${workspaceId} ${value}`

/** The commit counts at which an address or its domain was put on the list of the workspace or of its parent. */
export const listedSince = (ledger: Ledger, workspaceId: string, email: string | null): number[] =>
  [workspaceId, ledger.parents.get(workspaceId) ?? ''].flatMap((list) =>
    [email ?? '', `@${email?.split('@')[1]}`].flatMap(
      (value) => ledger.suppressed.get(listKey(list, value)) ?? [],
    ),
  )

/** Until when the person was known to be away after that many commits; 0 where they were not. */
export function awayAfter(ledger: Ledger, { workspace_id, email }: LeadRow, commits: number): number {
  const away = ledger.away.get(listKey(workspace_id, email ?? ''))
  return away && away.since <= commits ? away.until : 0
}

function keepResumed(ledger: Ledger, { row, old }: Change & { kind: 'campaign_leads' }, commits: number) {
  const isWaiting = (status: string) => status === 'pending' || status === 'active'
  if (old && !isWaiting(old.status) && isWaiting(row.status))
    ledger.resumed.set(row.campaign_lead_id, commits)
}

function keepClock({ clocks }: Ledger, { campaign_lead_id, timezone }: LeadRow) {
  if (timezone) clocks.set(campaign_lead_id, (clocks.get(campaign_lead_id) ?? new Set()).add(timezone))
}

function keepReply(ledger: Ledger, { workspace_id, email, status, last_event_at }: LeadRow, commits: number) {
  if (status !== 'replied' || !email || repliedAfter(ledger, workspace_id, email) !== undefined) return
  ledger.replied.set(listKey(workspace_id, email), commits)
  const key = listKey(workspace_id, email.split('@')[1] ?? '')
  const reply = { email, at: Date.parse(last_event_at ?? ''), since: commits }
  ledger.answered.set(key, [...(ledger.answered.get(key) ?? []), reply])
}

/** Other people of the lead's company whose reply was known after that many commits. */
export const colleaguesAfter = (ledger: Ledger, { workspace_id, email }: LeadRow, commits: number) =>
  (ledger.answered.get(listKey(workspace_id, email?.split('@')[1] ?? '')) ?? []).filter(
    (reply) => reply.email !== email && reply.since <= commits,
  )

/** The commit count at which a reply from this address was known in a workspace. */
export const repliedAfter = (ledger: Ledger, workspaceId: string, email: string | null): number | undefined =>
  ledger.replied.get(listKey(workspaceId, email ?? ''))

const personKey = (accountId: string, providerId: string) => `${accountId} ${providerId}`

/** Null where the account knows nobody by this id. */
export const personOf = (ledger: Ledger, accountId: string, providerId: string | null) =>
  ledger.people.get(personKey(accountId, providerId ?? '')) ?? null

function keepPerson(ledger: Ledger, { account_id, provider_id, relation }: PersonRow, commits: number) {
  if (personOf(ledger, account_id, provider_id)?.relation === relation) return
  ledger.people.set(personKey(account_id, provider_id), { relation, since: commits })
}
