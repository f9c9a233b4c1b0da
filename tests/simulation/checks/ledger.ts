import type pg from 'pg'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import type { SenderRotation } from '#lib/domain/campaigns/sender-rotation'
import type { Hours } from '#tests/simulation/worlds/calendar'
import type { ContactPolicy, WorldSpec } from '#tests/simulation/worlds/spec'

/** Rows as the trace of the database tells them: instants are ISO text there, and numbers here. */
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
/** What is said of an outage, by a mailbox and an account alike. */
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
/** What the product remembers of a person as one account knows them. */
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
  /** What was last done with it: 'stopped' may be taken back. */
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

/** One slot taken: a row of the ledger that became `sending`; or, of no lead, what the owner wrote in a chat. */
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
  /** False once it is known that nothing left: then it counts against no limit. */
  counts: boolean
  /** Commits when it was taken. */
  commits: number
  /** Offers of its action until then; it is no try of its sender once it is known that none was added. */
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

/** Everything committed so far, and in which order slots were taken. */
export type Ledger = {
  campaigns: Map<string, CampaignRow>
  mailboxes: Map<string, MailboxRow>
  /** By mailbox: what was decided by its health, the oldest first. */
  ramp_days: Map<string, RampDayRow[]>
  accounts: Map<string, AccountRow>
  /** By account and person: how they stand, and after how many commits they did. */
  people: Map<string, { relation: string; since: number }>
  leads: Map<string, LeadRow>
  actions: Map<string, ActionRow>
  /** Those that are under way and whose lease has once run out: nobody may offer them any more. */
  lapsed: Set<string>
  /** Workspaces that were erased; what is known of theirs stays. */
  erased: Set<string>
  /** Of a workspace, the one whose list holds for it too. */
  parents: Map<string, string>
  /** By workspace: by whose dates it counts, and since which of them all that was counted is by these. */
  zones: Map<string, { timezone: string; since: string }>
  /** Of every workspace. */
  policy: ContactPolicy
  /** By lead that was over: after how many commits it went on again. */
  resumed: Map<string, number>
  /** By workspace, and address or "@domain": after how many commits it was on the list. */
  suppressed: Map<string, number>
  /** By workspace and address: until when its person was said to be away, and after how many commits that was known. */
  away: Map<string, { until: number; since: number }>
  /** By workspace and address: after how many commits its person was known to have replied, in whichever campaign. */
  replied: Map<string, number>
  /** By workspace and domain: who replied, when, and after how many commits that was known. */
  answered: Map<string, { email: string; at: number; since: number }[]>
  claims: Claim[]
  /** How long a provider that throttles asks for, and by mailbox until when it does. */
  asks_ms: number
  waits: Map<string, number>
  /** Mailboxes whose sign-in is over, which nobody lived to say. */
  unsaid: Set<string>
  /** By lead, the clocks that it has lived by. */
  clocks: Map<string, Set<string>>
  /** Who takes mail for a domain; nobody in particular where it is not named. */
  recipients: WorldSpec['recipients']
  /** Mailboxes that sign in by OAuth. */
  granted: Set<string>
  /** By mailbox: until when it writes to nobody at some provider. */
  paused: Map<string, number>
  /** Campaigns whose hours were edited: days counted before mean other hours. */
  moved: Set<string>
  /** Campaigns whose mailboxes or account were edited: their leads may have got another one. */
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

/** Takes what was committed since the last time, but for connections whose own commit is judged later. */
export async function drain(control: pg.Client, except: number[]): Promise<Change[]> {
  const { rows } = await control.query<Change & { id: string }>(
    'WITH taken AS (DELETE FROM sim_log WHERE pid <> ALL ($1) RETURNING *) SELECT * FROM taken ORDER BY id',
    [except],
  )
  return rows
}

/** The last of them: what failed made way for it, and is still known here. */
export const actionOf = (ledger: Ledger, lead: string, step: number): ActionRow | undefined =>
  [...ledger.actions.values()].findLast((action) => action.campaign_lead_id === lead && action.step === step)

/** Takes a change over, after it has been checked. */
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
      // Judged with the slots, since it is counted with them.
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

/** Since how many commits an address, or its domain, is on its workspace's list, or on the one of its parent. */
export const listedSince = (ledger: Ledger, workspaceId: string, email: string | null): number[] =>
  [workspaceId, ledger.parents.get(workspaceId) ?? ''].flatMap((list) =>
    [email ?? '', `@${email?.split('@')[1]}`].flatMap(
      (value) => ledger.suppressed.get(listKey(list, value)) ?? [],
    ),
  )

/** Until when a person was known to be away after so many commits; 0 where nobody said so. */
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

/** Whoever else of the company of a lead was known to have replied after so many commits. */
export const colleaguesAfter = (ledger: Ledger, { workspace_id, email }: LeadRow, commits: number) =>
  (ledger.answered.get(listKey(workspace_id, email?.split('@')[1] ?? '')) ?? []).filter(
    (reply) => reply.email !== email && reply.since <= commits,
  )

/** After how many commits a person of this address was known to have replied in a workspace. */
export const repliedAfter = (ledger: Ledger, workspaceId: string, email: string | null): number | undefined =>
  ledger.replied.get(listKey(workspaceId, email ?? ''))

const personKey = (accountId: string, providerId: string) => `${accountId} ${providerId}`

/** Null where the product knows nobody by this id from this account. */
export const personOf = (ledger: Ledger, accountId: string, providerId: string | null) =>
  ledger.people.get(personKey(accountId, providerId ?? '')) ?? null

function keepPerson(ledger: Ledger, { account_id, provider_id, relation }: PersonRow, commits: number) {
  if (personOf(ledger, account_id, provider_id)?.relation === relation) return
  ledger.people.set(personKey(account_id, provider_id), { relation, since: commits })
}
