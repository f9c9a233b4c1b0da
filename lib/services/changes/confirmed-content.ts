import { db, pool } from '#lib/db/client'
import { storableJson } from '#lib/db/json'
import { getCampaign } from '#lib/services/campaigns/campaigns'
import { namedTemplates } from '#lib/services/changes/differences'
import { campaignTexts } from '#lib/services/messages/campaign-texts'
import { senderFilter } from '#lib/services/senders/mailboxes'
import { hashArguments } from '#lib/services/workspaces/confirmations'

type Content = (workspaceId: string, id: string) => Promise<unknown>

/** One checksum over all cells of a dataset; it changes with any of them. */
async function sealRows(workspaceId: string, datasetId: string) {
  const { rows } = await pool().query(
    `SELECT count(*)::int AS count, sum(hashtextextended(concat(email, data::text), lead_index))::text AS cells
     FROM dataset_rows WHERE workspace_id = $1 AND dataset_id::text = $2`,
    [workspaceId, datasetId],
  )
  return rows[0]
}

/** A checksum over the approved texts, which are sent as approved whatever the step says. */
async function sealApproved(workspaceId: string, campaignId: string) {
  const { rows } = await pool().query(
    `SELECT count(*)::int AS count, sum(hashtextextended(seal, lead_index))::text AS texts FROM generations
     WHERE workspace_id = $1 AND campaign_id = $2 AND approved_at IS NOT NULL`,
    [workspaceId, campaignId],
  )
  return rows[0]
}

/** The settings of a campaign. Its counters, statuses and dates are left out, since they record what was done. */
const SETTINGS = [
  'name',
  'description',
  'dataset_id',
  'type',
  'launch_type',
  'start_date',
  'daily_limit',
  'sending_window_start',
  'sending_window_end',
  'sending_windows',
  'open_until',
  'holiday_country',
  'holiday_region',
  'min_interval_seconds',
  'timezone',
  'schedule_timezone',
  'send_days',
  'steps_config',
  'alias_ids',
  'connected_account_id',
  'sender_rotation',
  'match_providers',
  'system_prompt',
  'auto_variant_weights',
  'unreviewed_launch_policy',
  'stop_on_company_reply',
  'skip_emails',
  'contact_policy_override',
  'bcc_address',
] as const

/** What a campaign will send, to whom, from where and when; nothing of what it has done. */
const campaignContent: Content = async (workspace_id, campaignId) => {
  const campaign = await getCampaign(workspace_id, campaignId)
  const profileIds = campaign.steps_config.flatMap(({ variants }) =>
    variants.flatMap(({ sender_profile_id }) => sender_profile_id ?? []),
  )
  const account = campaign.connected_account_id
  const usesAccounts = campaign.steps_config.some(({ channel }) => channel === 'social')
  const [texts, profiles, mailboxes, accounts, rows, approved, owner] = await Promise.all([
    campaignTexts(pool(), campaign, namedTemplates(campaign)),
    db.senderProfile.findMany({
      where: { workspace_id, OR: [{ id: { in: profileIds } }, { is_default: true }] },
      orderBy: { id: 'asc' },
      select: { id: true, is_default: true, sender_data: true },
    }),
    db.mailbox.findMany({
      where: senderFilter(campaign),
      orderBy: { mailbox_id: 'asc' },
      select: {
        mailbox_id: true,
        address: true,
        send_as: true,
        name: true,
        smtp: true,
        signature: true,
        daily_limit: true,
        min_interval_seconds: true,
        ramp_up: true,
      },
    }),
    usesAccounts
      ? db.connectedAccount.findMany({
          where: { workspace_id, status: 'connected', ...(account ? { account_id: account } : {}) },
          orderBy: { account_id: 'asc' },
          select: { account_id: true, name: true, kind: true, limits: true, min_interval_seconds: true },
        })
      : [],
    sealRows(workspace_id, campaign.dataset_id),
    sealApproved(workspace_id, campaignId),
    db.workspace.findUniqueOrThrow({ where: { workspace_id }, select: { timezone: true } }),
  ])
  const settings = Object.fromEntries(SETTINGS.map((field) => [field, campaign[field]]))
  return { settings, texts: [...texts].toSorted(byId), profiles, mailboxes, accounts, rows, approved, owner }
}

const byId = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1)

const runContent: Content = async (workspaceId, runId) => {
  const { rows } = await pool().query(
    `SELECT g.status, count(*)::int AS count,
       sum(hashtextextended(concat_ws(E'\\x1f', g.subject, g.body, g.flags::text), g.lead_index))::text AS texts
     FROM generations g WHERE g.workspace_id = $1 AND g.run_id::text = $2 GROUP BY g.status ORDER BY g.status`,
    [workspaceId, runId],
  )
  return rows
}

/** By the argument name under which an operation receives the id. */
const CONTENTS: Readonly<Record<string, Content>> = {
  campaign_id: campaignContent,
  run_id: runContent,
  generation_id: (workspace_id, generation_id) =>
    db.generation.findFirst({
      where: { generation_id, workspace_id },
      select: { status: true, subject: true, body: true, flags: true },
    }),
  post_id: (workspace_id, id) =>
    db.socialPost.findFirst({
      where: { id, workspace_id },
      select: {
        status: true,
        text: true,
        connected_account_id: true,
        scheduled_at: true,
        attachments: { select: { id: true }, orderBy: { id: 'asc' } },
      },
    }),
  // Included because a message that arrives meanwhile may make the answer wrong.
  thread_id: (workspace_id, thread_id) =>
    db.thread.findFirst({
      where: { thread_id, workspace_id },
      select: {
        mailbox_id: true,
        connected_account_id: true,
        chat_id: true,
        counterpart_address: true,
        subject: true,
        message_count: true,
      },
    }),
}

/**
 * Hash of what a person who approves a call agrees to, besides its arguments: the content behind every id that it names. Another hash means
 * that the call would do something else than was shown. Unknown ids are left for the call itself to refuse.
 */
export async function contentHash(workspaceId: string, given: Record<string, unknown>): Promise<string> {
  const contents = await Promise.all(
    Object.entries(CONTENTS).map(async ([name, read]) => {
      const id = given[name]
      return typeof id === 'string' ? [name, await read(workspaceId, id)] : []
    }),
  )
  // As JSON, which has one form for instants and for absent values.
  return hashArguments(storableJson(contents))
}
