import { neverHolds } from '#lib/domain/campaigns/step-conditions'
import { updateCampaign } from '#lib/services/changes/update'
import { handleInbound } from '#lib/services/inbox/handle-mail'
import { pauseCampaign } from '#lib/services/launch/lifecycle'
import { suppress } from '#lib/services/leads/endings'
import { resolveUncertainAction } from '#lib/services/leads/uncertain-actions'
import type { MailReader } from '#lib/services/reading/mail'
import { MAIL_TASKS } from '#lib/services/reading/mail-tasks'
import { updateAccount } from '#lib/services/workspaces/account'
import { eraseAccount, prepareErasure } from '#lib/services/workspaces/erasure'
import type { CampaignRow, Ledger } from '#tests/simulation/checks/ledger'
import { Violation } from '#tests/simulation/checks/violation'
import { isOver } from '#tests/simulation/checks/witness'
import { zoneOf } from '#tests/simulation/checks/zones'
import { absence } from '#tests/simulation/worlds/absences'
import { outage } from '#tests/simulation/worlds/outages'
import type { Outside, OutsideEvent } from '#tests/simulation/worlds/outside-event'
import { changeRows } from '#tests/simulation/worlds/owner-rows'
import { byHand, stopSome, tryFailed } from '#tests/simulation/worlds/owner-stops'
import { isOf } from '#tests/simulation/worlds/provider'
import { anySocialEvent } from '#tests/simulation/worlds/social-outside'
import { someMailboxes, somePace } from '#tests/simulation/worlds/world'
import { NASTY_ZONES } from '#tests/support/files/zones'
import { bounceOf, complaintOf, replyTo } from '#tests/support/scenes/arrivals'
import { bytes } from '#tests/support/scenes/inbound-mail'

/** Reads mail in this process: the stage sees only what waits for the database, and nothing of another process. */
const HERE: MailReader = {
  read: async (kind, input) => ({
    outcome: 'done',
    value: (await MAIL_TASKS[kind](input as never)) as never,
    cpu_ms: 0,
  }),
  readParts() {
    throw new Error('No mail is read in parts.')
  },
}

/** Texts of replies: by the workspace's rules the second holds its lead, and no rule weakens the third. */
const ANSWERS = [
  'Yes, call me.',
  'I am not the right person for this.',
  'Please remove me from your list.',
] as const

const KINDS = [
  'pause',
  'mail',
  'mail',
  'mail',
  'word',
  'word',
  'unsubscribe',
  'domain',
  'outage',
  'edit',
  'edit',
  'stop',
  'stop',
  'rows',
  'rows',
] as const

/** Anything that an owner, a lead or a mail server may do at any moment. Null where it does not apply to the current state. */
export function anyEvent(outside: Outside): OutsideEvent | null {
  const { ledger, rng, scene, offers } = outside
  if (scene.accounts.length > 0 && rng.chance(0.6)) {
    const event = anySocialEvent(outside)
    if (event) return event
  }
  if (scene.workspaces.length > 1 && ledger.erased.size === 0 && rng.chance(0.06)) return erasure(outside)
  const kind = rng.pick(KINDS)
  const isHere = isThere(ledger)
  const running = [...ledger.campaigns.values()].filter(
    (one) => isHere(one) && !['draft', 'failed', 'completed'].includes(one.status),
  )
  const leads = [...ledger.leads.values()].filter((lead) => lead.email && isHere(lead))
  if (running.length === 0) return null
  const campaign = rng.pick(running)
  const place = scene.campaigns.findIndex((one) => one.campaign_id === campaign.campaign_id)
  if (campaign.status === 'paused' && rng.chance(0.6)) return edit(outside, campaign, place)
  if (kind === 'pause') return (offers.length % 4 === 1 && move(outside, campaign)) || pause(campaign, place)
  if (kind === 'edit') return edit(outside, campaign, place)
  if (kind === 'stop')
    return (offers.length % 2 === 1 && tryFailed(outside)) || stopSome(outside, campaign, place)
  if (kind === 'rows') return changeRows(outside, campaign, place)
  if (kind === 'outage') return outage(outside, rng.pick(scene.mailboxes.filter(isHere)))
  if (kind === 'word') return word(outside)
  if (kind === 'mail') return arrival(outside)
  if (leads.length === 0) return null
  const lead = rng.pick(leads)
  const value = kind === 'domain' ? `@${lead.email?.split('@')[1]}` : (lead.email ?? '')
  const entry = {
    workspace_id: lead.workspace_id,
    values: [value],
    reason: kind,
    status: 'unsubscribed',
    is_wish: kind === 'unsubscribe',
  } as const
  return {
    actor: 'inbound',
    workspace_id: lead.workspace_id,
    label: `${value}: ${kind}`,
    work: (now) => suppress(outside.inbound, entry, now),
  }
}

const isThere = (ledger: Ledger) => (one: { workspace_id: string }) => !ledger.erased.has(one.workspace_id)

/** An owner erases their account, and with it the workspace of which they are the only member. */
function erasure({ scene, rng }: Outside): OutsideEvent {
  const { workspace_id, user_id, email } = rng.pick(scene.workspaces)
  return {
    actor: 'owner',
    workspace_id,
    label: `${email} is erased`,
    work: async (now) => {
      const { token } = await prepareErasure(user_id, now)
      await eraseAccount(user_id, { token, email }, now)
    },
  }
}

/** The owner resolves an uncertain action; after `not_sent`, earlier offers of it no longer count as taken. */
function word({ ledger, rng, offers, words }: Outside): OutsideEvent | null {
  const uncertain = [...ledger.actions.values()].filter(
    (action) => action.status === 'uncertain' && isThere(ledger)(action),
  )
  if (uncertain.length === 0) return null
  const action = rng.pick(uncertain)
  const said = rng.pick(['sent', 'not_sent', 'not_sent'] as const)
  return {
    actor: 'owner',
    workspace_id: action.workspace_id,
    label: `says ${said} of ${action.action_id}`,
    work: (now) => {
      if (said === 'not_sent') words.add(action.action_id)
      if (said === 'not_sent') for (const offer of offers) if (isOf(offer, action)) offer.taken = false
      return resolveUncertainAction(action.workspace_id, action.campaign_id, action.action_id, said, now)
    },
  }
}

/** A mail about something that was sent: a reply, a bounce or a complaint. */
function arrival({ inbound, ledger, rng, scene, offers }: Outside): OutsideEvent | null {
  const taken = offers.filter((offer) => offer.taken && offer.channel === 'email')
  if (taken.length === 0) return null
  const offer = rng.pick(taken)
  const owner = scene.campaigns[offer.campaign]?.workspace_id
  // A mailbox of another workspace with the same address reads the mail too.
  const readers = scene.mailboxes.filter((one) => one.address === offer.from && isThere(ledger)(one))
  const mailbox = readers.length > 1 ? rng.pick(readers) : readers[0]
  if (!mailbox) return null
  const isOwn = mailbox.workspace_id === owner
  const mail = {
    message_id: offer.message_id ?? '',
    to: { address: offer.to },
    from: { address: offer.from },
    subject: 'Hello',
  }
  const kind = rng.pick(['reply', 'reply', 'hard', 'soft', 'complaint', 'away', 'away', 'away'] as const)
  const days = rng.pick([0, 1, 4, 12, null])
  if (kind === 'soft' && !isOwn) return null
  if (kind === 'away' && !isOwn) return null
  const { campaign_id = '' } = scene.campaigns[offer.campaign] ?? {}
  if (isOwn && offers.length % 3 === 0)
    return byHand(inbound, HERE, { mailbox, offer, place: offers.indexOf(offer), campaign_id, ledger })
  if (kind === 'away') return absence(inbound, HERE, { mailbox, offer, mail, days })
  const answer = ANSWERS[offers.length % ANSWERS.length] ?? ANSWERS[0]
  const isHeld = kind === 'reply' && answer === ANSWERS[1]
  const raw = {
    reply: replyTo(mail, answer),
    hard: bounceOf(mail, '5.1.1'),
    soft: bounceOf(mail, '4.2.2'),
    complaint: complaintOf(mail),
  }
  const content = bytes(raw[kind])
  return {
    actor: 'inbound',
    workspace_id: mailbox.workspace_id,
    label: `${kind} from ${offer.to} about step ${offer.step}`,
    work: async (now) => {
      // A soft-bounced mail may be sent again.
      if (kind === 'soft') offer.taken = false
      const arrived = {
        folder: 'INBOX',
        uid_validity: 1n,
        uid: offers.length * 10 + raw[kind].length,
        raw: content,
      }
      const handled = await handleInbound(
        inbound,
        mailbox,
        { ...arrived, size_bytes: content.length, received_at: now },
        now,
        HERE,
      )
      const lead = ledger.leads.get(handled?.campaign_lead_id ?? '')
      // A stopped lead may be taken back and a failed one retried, and both may continue after a reply.
      const mayGoOn =
        !lead || !isOver(lead.status) || lead.last_event === 'stopped' || lead.status === 'failed'
      // A neighbour that reads the same address may have no lead that the mail is about.
      const isTheirs = isOwn || lead !== undefined
      if (handled && isTheirs && kind !== 'soft' && !isHeld && mayGoOn)
        throw new Violation('I5', `${kind} from ${offer.to} left the lead ${lead?.status}`)
    },
  }
}

function pause({ campaign_id, workspace_id }: CampaignRow, place: number): OutsideEvent {
  return {
    actor: 'owner',
    workspace_id,
    label: `pause ${place}`,
    work: (now) => pauseCampaign(workspace_id, campaign_id, now),
  }
}

/** The workspace's time zone changes. Excluded where chats or ramp-ups by health exist: their dates stay by the old zone. */
function move({ ledger, scene, offers }: Outside, { workspace_id }: CampaignRow): OutsideEvent | null {
  if (scene.accounts.length > 0) return null
  if ([...ledger.mailboxes.values()].some((mailbox) => mailbox.ramp_up?.by_health)) return null
  const timezone = NASTY_ZONES[offers.length % NASTY_ZONES.length] ?? 'UTC'
  const { user_id } = scene.workspaces.find((one) => one.workspace_id === workspace_id) ?? {}
  if (!user_id || timezone === zoneOf(ledger, workspace_id)) return null
  return {
    actor: 'owner',
    workspace_id,
    label: `moves to ${timezone}`,
    work: (now) => updateAccount({ workspace_id, user_id, role: 'owner' }, { timezone }, now),
  }
}

/** An edit of a running campaign is refused, which must leave everything intact. */
function edit({ ledger, rng, scene }: Outside, campaign: CampaignRow, place: number): OutsideEvent {
  const reached = Math.max(
    0,
    ...[...ledger.actions.values()]
      .filter((action) => action.campaign_id === campaign.campaign_id)
      .map((action) => action.step),
  )
  const steps = campaign.steps_config.map((step) =>
    step.step > reached && rng.chance(0.5) ? { ...step, delay_days: rng.pick([0, 1, 3]) } : step,
  )
  const shorter = steps.slice(0, -1)
  // The condition of another step may refer to the last one: without it a launch would always be refused.
  const isWhole = shorter.every((_, index) => neverHolds(shorter, index) === null)
  const kept = steps.length > Math.max(1, reached) && rng.chance(0.2) && isWhole ? shorter : steps
  const pauses = campaign.status !== 'paused' && rng.chance(0.8)
  const { workspace_id } = campaign
  const mailboxes = scene.mailboxes.filter((one) => one.workspace_id === workspace_id)
  const boxes = someMailboxes(rng, mailboxes.length)
  const fields = {
    ...(rng.chance(0.6) ? somePace(rng) : {}),
    ...(rng.chance(0.6) ? { steps_config: kept } : {}),
    ...(rng.chance(0.3) ? { alias_ids: boxes?.flatMap((box) => mailboxes[box]?.mailbox_id ?? []) } : {}),
    ...(scene.accounts.length > 0 && rng.chance(0.5)
      ? { connected_account_id: rng.pick([null, ...scene.accounts.map((one) => one.account_id)]) }
      : {}),
  }
  return {
    actor: 'owner',
    workspace_id,
    label: `edit ${place}: ${Object.keys(fields)}`,
    work: async (now) => {
      if (pauses) await pauseCampaign(workspace_id, campaign.campaign_id, now)
      await updateCampaign(
        workspace_id,
        campaign.campaign_id,
        fields as Parameters<typeof updateCampaign>[2],
        now,
      )
    },
  }
}
