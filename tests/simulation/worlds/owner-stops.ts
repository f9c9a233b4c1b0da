import type pg from 'pg'
import { handleSent } from '#lib/services/inbox/sent/handle-sent'
import { retryLeads } from '#lib/services/leads/failed-leads'
import { resumeLeads, stopLeads } from '#lib/services/leads/stops'
import type { MailReader } from '#lib/services/reading/mail'
import type { CampaignRow, LeadRow, Ledger } from '#tests/simulation/checks/ledger'
import { Violation } from '#tests/simulation/checks/violation'
import { isOver } from '#tests/simulation/checks/witness'
import type { Outside, OutsideEvent } from '#tests/simulation/worlds/outside-event'
import type { Offer } from '#tests/simulation/worlds/provider'
import { bytes } from '#tests/support/scenes/inbound-mail'

const idOf = ({ campaign_lead_id }: LeadRow) => campaign_lead_id

/** The owner stops some leads of a campaign, in whatever state, and usually regrets it. */
export function stopSome(outside: Outside, campaign: CampaignRow, place: number): OutsideEvent | null {
  const { ledger, rng, regrets } = outside
  const { campaign_id, workspace_id } = campaign
  const some = [...ledger.leads.values()].filter(
    (lead) => lead.campaign_id === campaign_id && rng.chance(0.5),
  )
  if (some.length === 0) return null
  const regretted = rng.chance(0.8)
  return {
    actor: 'owner',
    workspace_id,
    label: `stop ${some.length} of ${place}`,
    work: async (now) => {
      await stopLeads(workspace_id, campaign_id, some.map(idOf), now)
      if (regretted) regrets.add(campaign_id)
    },
  }
}

/** Resumes what was stopped, where nothing prevents it; done once, whatever the outcome. */
export function takeBack(
  { ledger, regrets }: Outside,
  campaignId: string,
  workspaceId: string,
  place: number,
): OutsideEvent {
  const stopped = [...ledger.leads.values()].filter(
    (lead) => lead.campaign_id === campaignId && lead.last_event === 'stopped',
  )
  return {
    actor: 'owner',
    workspace_id: workspaceId,
    label: `take back ${stopped.length} of ${place}`,
    work: (now) => {
      regrets.delete(campaignId)
      return resumeLeads(workspaceId, campaignId, stopped.map(idOf), now)
    },
  }
}

/** The owner retries the failed leads of a campaign, whatever the reason; null where there are none. */
export function tryFailed({ ledger, rng }: Outside): OutsideEvent | null {
  const failed = [...ledger.leads.values()].filter(
    (lead) => lead.status === 'failed' && !ledger.erased.has(lead.workspace_id),
  )
  if (failed.length === 0) return null
  const { campaign_id, workspace_id } = rng.pick(failed)
  const mine = failed.filter((lead) => lead.campaign_id === campaign_id)
  return {
    actor: 'owner',
    workspace_id,
    label: `try ${mine.length} failed again`,
    work: (now) => retryLeads(workspace_id, campaign_id, mine.map(idOf), now),
  }
}

type Hand = {
  mailbox: { mailbox_id: string; address: string; workspace_id: string }
  offer: Offer
  /** The index of the offer among all: two mails may be written at the same instant. */
  place: number
  campaign_id: string
  ledger: Ledger
}

/** The owner replies from another program, and the mail is found in Sent: the lead that it went to gets no further step. */
export function byHand(
  inbound: pg.Pool,
  reader: MailReader,
  { mailbox, offer, place, campaign_id, ledger }: Hand,
): OutsideEvent {
  return {
    actor: 'inbound',
    workspace_id: mailbox.workspace_id,
    label: `the owner writes to ${offer.to} by hand about step ${offer.step}`,
    work: async (now) => {
      const uid = now.getTime() * 1_000 + place
      const content = bytes(
        `From: <${offer.from}>\nTo: <${offer.to}>\nSubject: Re: Hello\nIn-Reply-To: ${offer.message_id}\nMessage-ID: <hand-${uid}@phone.test>\n\nBy hand.\n`,
      )
      const arrived = { folder: 'Sent', uid_validity: 1n, uid, raw: content, is_sent: true }
      const at = { received_at: now, size_bytes: content.length }
      await handleSent(inbound, mailbox, { ...arrived, ...at }, now, reader)
      const lead = [...ledger.leads.values()].find(
        (one) => one.campaign_id === campaign_id && one.email === offer.to,
      )
      // The lead may have been taken back since, or has an announced absence.
      if (!lead || isOver(lead.status) || lead.last_event === 'taken_back') return
      const { rows } = await inbound.query('SELECT 1 FROM absences WHERE email = $1', [offer.to])
      if (rows.length === 0)
        throw new Violation('I5', `what was written to ${offer.to} by hand left the lead ${lead.status}`)
    },
  }
}
