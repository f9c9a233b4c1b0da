import type { z } from 'zod'
import {
  type InboxKind,
  InboxThread,
  type ListInboxThreads,
  type UpdateInboxThread,
  type UpdateInboxThreads,
} from '#lib/contracts/inbox/inbox'
import { db, pool } from '#lib/db/client'
import type { CampaignLeadModel, ThreadModel } from '#lib/db/generated/models'
import { firstRow } from '#lib/db/page'
import type { Maker } from '#lib/domain/workspaces/maker'
import { AppError } from '#lib/errors'
import { getCampaign } from '#lib/services/campaigns/campaigns'
import { type Asking, chosenBy, requireChosen } from '#lib/services/campaigns/client-access'
import { storedCells } from '#lib/services/datasets/stored'
import { FOLDERS } from '#lib/services/inbox/folders'
import { followCorrection } from '#lib/services/inbox/intent/corrections'
import { requireAssignee, tellAssignee } from '#lib/services/inbox/thread/assignment'
import { findLastMessage } from '#lib/services/inbox/thread/collision'
import { INTENT_COLUMNS, type IntentFields, setIntent } from '#lib/services/inbox/thread/intents'
import { createMissingLabels } from '#lib/services/inbox/thread/labels'
import { mayAnswer } from '#lib/services/inbox/thread/may-answer'
import { readOthers } from '#lib/services/inbox/written/copies'
import { type EditTx, edit } from '#lib/services/instance/versioned-edit'
import { findHold } from '#lib/services/leads/holds'
import { markThreadRead } from '#lib/services/telling/notifications'

type Query = z.output<typeof ListInboxThreads.query>
type Listed = Omit<ThreadModel, 'last_direction' | 'last_kind' | 'channel' | 'intent'> &
  IntentFields & {
    channel: 'email' | 'social'
    provider: string | null
    last_direction: 'in' | 'out'
    last_kind: InboxKind
    campaign_name: string | null
    assignee_name: string | null
    owner_name: string | null
  }

const FOUND = `
  AND ($3::boolean IS NULL OR t.unread = $3) AND ($4::text IS NULL OR $4 = ANY (t.labels))
  AND ($5::text IS NULL OR t.last_kind = $5) AND ($6::uuid IS NULL OR t.mailbox_id = $6)
  AND ($7::uuid IS NULL OR t.campaign_id = $7) AND ($8::uuid IS NULL OR t.connected_account_id = $8)
  AND ($9::text IS NULL OR t.assignee_id IS NOT DISTINCT FROM nullif($9, 'nobody')::uuid)
  AND ($10::uuid IS NULL OR t.campaign_id IN (
    SELECT k.campaign_id FROM campaign_clients k WHERE k.workspace_id = $1 AND k.user_id = $10))
  AND ($11::"Intent" IS NULL OR t.intent = $11)
  AND ($12::uuid IS NULL OR t.campaign_id IN (
    SELECT o.campaign_id FROM campaigns o WHERE o.workspace_id = $1 AND o.user_id = $12))`

/** Search by the full-text indexes; the expressions must match theirs exactly. */
const SEARCHED = `
  AND t.thread_id IN (
    SELECT m.thread_id FROM inbox_messages m
    WHERE m.workspace_id = $1 AND search_words(m.subject || ' ' || m.text) @@ search_query($13)
    UNION ALL
    SELECT s.thread_id FROM threads s
    WHERE s.workspace_id = $1
      AND search_words(s.subject || ' ' || s.counterpart_address || ' ' || coalesce(s.counterpart_name, ''))
        @@ search_query($13))`

/** `threads`: SQL for the conversations to read. */
const withNames = (threads: string) => `SELECT t.*, c.name AS campaign_name, a.provider,
    coalesce(nullif(u.name, ''), u.email) AS assignee_name,
    coalesce(nullif(o.name, ''), o.email) AS owner_name, ${INTENT_COLUMNS} FROM ${threads} t
  LEFT JOIN inbox_messages m ON m.inbox_message_id = t.intent_message_id
  LEFT JOIN users u ON u.user_id = t.assignee_id
  LEFT JOIN campaigns c ON c.campaign_id = t.campaign_id
  LEFT JOIN users o ON o.user_id = c.user_id
  LEFT JOIN connected_accounts a ON a.account_id = t.connected_account_id`

const NEWEST = 'ORDER BY t.last_message_at DESC, t.thread_id DESC'

/** Lists the conversations of the workspace or, for a client, of the campaigns they can see. */
export async function listInboxThreads(user: Asking, query: Query, now: Date) {
  const { page, page_size, folder, unread, label, kind, mailbox_id, campaign_id, search } = query
  const where = `t.workspace_id = $1 AND ${FOLDERS[folder]} ${FOUND} ${search ? SEARCHED : ''}`
  const values = [
    user.workspace_id,
    now,
    unread ?? null,
    label ?? null,
    kind ?? null,
    mailbox_id ?? null,
    campaign_id ?? null,
    query.connected_account_id ?? null,
    chosenBy(user) ? null : ((query.assignee === 'me' ? user.user_id : query.assignee) ?? null),
    chosenBy(user),
    query.intent ?? null,
    chosenBy(user) ? null : ((query.owner === 'me' ? user.user_id : query.owner) ?? null),
    ...(search ? [search] : []),
  ]
  const at = values.length
  const [{ rows }, { rows: counted }] = await Promise.all([
    pool().query<Listed>(
      // Reads the page before joining: planning all joins for the whole inbox would take longer than reading
      // it.
      `${withNames(`(SELECT t.* FROM threads t WHERE ${where} ${NEWEST} OFFSET $${at + 1} LIMIT $${at + 2})`)} ${NEWEST}`,
      [...values, firstRow({ page, page_size }), page_size],
    ),
    pool().query<{ total: number }>(`SELECT count(*)::int AS total FROM threads t WHERE ${where}`, values),
  ])
  const items = chosenBy(user) ? rows.map(withoutTeam) : rows
  return { items, total: counted[0]?.total ?? 0, page, page_size }
}

/** A conversation as a client sees it, without the team's assignee and notes. */
const withoutTeam = <T extends Listed>(thread: T): T => ({
  ...thread,
  assignee_id: null,
  assignee_name: null,
  owner_name: null,
  note_count: 0,
})

/** Number of unread conversations with people, for the navigation. */
export async function countUnread(workspaceId: string, now: Date): Promise<number> {
  return db.thread.count({
    where: {
      workspace_id: workspaceId,
      status: 'open',
      unread: true,
      OR: [{ snoozed_until: null }, { snoozed_until: { lte: now } }],
    },
  })
}

async function loadThread(workspaceId: string, threadId: string): Promise<Listed> {
  const { rows } = await pool().query<Listed>(
    `${withNames('threads')} WHERE t.thread_id = $1 AND t.workspace_id = $2`,
    [threadId, workspaceId],
  )
  if (!rows[0]) throw new AppError('thread_not_found')
  return rows[0]
}

/** The same for a client, who cannot reply: other reasons against a reply are hidden. */
export async function readOwnThread(user: Asking, threadId: string, now: Date) {
  await requireChosen(user, { thread_id: threadId })
  const thread = await readInboxThread(user.workspace_id, threadId, now)
  if (!chosenBy(user)) return thread
  return {
    ...withoutTeam(thread),
    suppression: null,
    may_answer: false,
    why_not: 'Clients can only read the inbox.',
    answers_from: null,
  }
}

export async function readInboxThread(workspaceId: string, threadId: string, now: Date) {
  const thread = await loadThread(workspaceId, threadId)
  const lead = thread.campaign_lead_id
    ? await db.campaignLead.findUnique({ where: { campaign_lead_id: thread.campaign_lead_id } })
    : null
  const [row, last, absence, answered, stopped, may, others] = await Promise.all([
    lead && loadRow(lead),
    findLastMessage(pool(), threadId),
    findHold(workspaceId, lead?.email ?? null, now),
    answeredStep(threadId),
    lead ? stepsStopped(workspaceId, lead) : [],
    mayAnswer(workspaceId, thread),
    readOthers(workspaceId, thread),
  ])
  return {
    ...thread,
    lead: lead && {
      lead_index: lead.lead_index,
      email: lead.email,
      status: lead.status,
      data: storedCells(row),
    },
    last_message_id: last?.inbox_message_id ?? null,
    others,
    absence,
    answers_step: answered,
    steps_stopped: stopped,
    suppression: may.suppression,
    may_answer: may.refusal === null,
    why_not: may.refusal?.message ?? null,
    answers_from: may.from ?? null,
  }
}

const loadRow = ({ dataset_id, lead_index }: CampaignLeadModel) =>
  db.datasetRow.findUnique({ where: { dataset_id_lead_index: { dataset_id, lead_index } } })

async function answeredStep(threadId: string): Promise<number | null> {
  const { rows } = await pool().query<{ step: number }>(
    `SELECT a.step, m.at FROM inbox_messages m JOIN inbound_messages i USING (inbound_message_id)
       JOIN actions a ON a.action_id = i.action_id
     WHERE m.thread_id = $1 AND m.direction = 'in'
     -- Of a chat the decision log says which step was the last before the answer.
     UNION ALL SELECT e.step, m.at FROM inbox_messages m JOIN threads t USING (thread_id)
       JOIN campaign_events e ON e.campaign_lead_id = t.campaign_lead_id AND e.kind = 'replied'
         AND e.detail->>'inbound_message_id' = m.inbox_message_id::text
     WHERE m.thread_id = $1 AND t.channel = 'social' AND m.direction = 'in' AND e.step IS NOT NULL
     ORDER BY at DESC LIMIT 1`,
    [threadId],
  )
  return rows[0]?.step ?? null
}

/** For a lead that ended early, the steps after the last one it received. */
async function stepsStopped(workspaceId: string, lead: CampaignLeadModel): Promise<number[]> {
  if (['pending', 'active', 'completed'].includes(lead.status)) return []
  const { steps_config } = await getCampaign(workspaceId, lead.campaign_id)
  return steps_config.map(({ step }) => step).filter((step) => step > lead.current_step)
}

export async function updateInboxThread(
  user: Maker,
  threadId: string,
  {
    labels,
    add_labels = [],
    remove_labels = [],
    intent,
    intent_until,
    version,
    ...changes
  }: z.output<typeof UpdateInboxThread.body>,
  now: Date,
) {
  const data = { ...set(changes), ...(labels ? { labels: [...new Set(labels)].sort() } : {}) }
  const workspaceId = user.workspace_id
  const key = { thread_id: threadId, workspace_id: workspaceId }
  const write = async (tx: EditTx) => {
    await tellAssignee(tx, user, [threadId], changes.assignee_id)
    if (changes.unread === false) await markThreadRead(tx, user, [threadId], now)
    await tx.thread.updateMany({ where: key, data })
    // In a single statement, so that two concurrent changes of labels both count.
    if (add_labels.length + remove_labels.length > 0)
      await tx.$executeRaw`
        UPDATE threads SET labels = ARRAY(
          SELECT unnest(labels || ${add_labels}) EXCEPT SELECT unnest(${remove_labels}::text[]) ORDER BY 1)
        WHERE thread_id = ${threadId}::uuid`
    await createMissingLabels(tx, workspaceId, [...(labels ?? []), ...add_labels])
    if (intent !== undefined) await setIntent(tx, key, { intent, until: intent_until ?? null }, now)
  }
  await edit({
    table: 'threads',
    key,
    version,
    missing: 'thread_not_found',
    current: async () => InboxThread.parse(await loadThread(workspaceId, threadId)),
    first: (tx) => requireAssignee(tx, workspaceId, changes.assignee_id),
    write,
  })
  if (intent !== undefined) await followCorrection(workspaceId, threadId, now)
  return loadThread(workspaceId, threadId)
}

export async function updateInboxThreads(
  user: Maker,
  { thread_ids, ...changes }: z.output<typeof UpdateInboxThreads.body>,
  now: Date,
) {
  return db.$transaction(async (tx) => {
    await requireAssignee(tx, user.workspace_id, changes.assignee_id)
    await tellAssignee(tx, user, thread_ids, changes.assignee_id)
    if (changes.unread === false) await markThreadRead(tx, user, thread_ids, now)
    const { count } = await tx.thread.updateMany({
      where: { workspace_id: user.workspace_id, thread_id: { in: thread_ids } },
      data: { ...set(changes), version: { increment: 1 } },
    })
    return { updated: count }
  })
}

type Changes = Omit<
  z.output<typeof UpdateInboxThread.body>,
  'labels' | 'add_labels' | 'remove_labels' | 'intent' | 'intent_until'
>

const set = ({ status, unread, snoozed_until, assignee_id }: Changes) => ({
  ...(status === undefined ? {} : { status }),
  ...(unread === undefined ? {} : { unread }),
  ...(snoozed_until === undefined ? {} : { snoozed_until }),
  ...(assignee_id === undefined ? {} : { assignee_id }),
})
