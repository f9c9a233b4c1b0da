import type { z } from 'zod'
import type { Contract } from '#lib/contracts/contract'
import type { CHANGED_BY, ListAuditEvents } from '#lib/contracts/workspaces/audit'
import { pool } from '#lib/db/client'
import type { Prisma } from '#lib/db/generated/client'
import { jsonText } from '#lib/db/json-text'
import { firstRow } from '#lib/db/page'
import { toDayRange } from '#lib/domain/calendar/day-range'
import { networkPlaceLabel } from '#lib/domain/text/network-place'
import { asRecord } from '#lib/domain/text/record'
import type { Maker } from '#lib/domain/workspaces/maker'
import { takeToken } from '#lib/services/instance/rate-limits'
import { isUnchanged } from '#lib/services/instance/versioned-edit'

/** Who changed something, as the audit log names them. */
export type Changer = Maker & {
  credential: 'jwt' | 'api_key'
  key_prefix?: string
  by_assistant?: true
  by_token?: true
}

/** Failures per minute that are logged for one account. */
const FAILURES_NOTED = 10

type Done = { params?: unknown; body?: unknown; result?: unknown; now: Date }

/** Operations that read, or compute without keeping anything, are not changes. */
const isChange = ({ method, scope, unlogged }: Contract) =>
  method !== 'GET' && scope !== 'read' && scope !== null && !unlogged

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The ids in a request's parameters or its response, without those of the caller and their workspace. */
function idsIn(value: unknown, asking: Maker): [string, string][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, field]): [string, string][] =>
    /(?:^|_)id$/.test(name) &&
    typeof field === 'string' &&
    !(name === 'user_id' && field === asking.user_id) &&
    !(name === 'workspace_id' && field === asking.workspace_id) &&
    ID.test(field)
      ? [[name, field]]
      : [],
  )
}

/** Further details by the contract: reasons given, ids of related objects, file names. */
const notedIn = ({ noted = [] }: Contract, { body, result }: Done): [string, string][] =>
  Object.entries({ ...asRecord(noted.length > 0 ? result : null), ...asRecord(body) }).filter(
    (field): field is [string, string] =>
      noted.includes(field[0]) && typeof field[1] === 'string' && field[1] !== '',
  )

function changedBy({ by_assistant, credential, by_token }: Changer): (typeof CHANGED_BY)[number] {
  if (by_assistant) return 'assistant'
  if (credential === 'api_key') return 'key'
  return by_token ? 'token' : 'person'
}

/**
 * Logs a successful operation: its name, the ids it concerned, the required reason if any, and who did it. What a parent does to a
 * child is logged in both. Nothing is logged for an account that no longer exists.
 */
export async function recordChange(who: Changer, contract: Contract, done: Done): Promise<void> {
  if (!isChange(contract) || isUnchanged(done.result)) return
  const named = idsIn(done.params, who)
  // The result of an action on one object names much more than its target, for example a campaign's dataset, so only creations log ids of
  // the result. An upload is logged under what it became.
  const isMade = contract.status === 201 || named.every(([name]) => name === 'upload_id')
  const made = isMade ? idsIn(done.result, who).slice(0, 10) : []
  await pool().query(
    `INSERT INTO audit_events (workspace_id, user_id, at, operation, target, by, key_prefix)
     SELECT w.workspace_id, u.user_id, $2, $3,
       CASE WHEN $4::jsonb->>'workspace_id' = w.workspace_id::text THEN $4::jsonb - 'workspace_id' ELSE $4::jsonb END, $5::"ChangedBy", $6
     FROM workspaces w LEFT JOIN users u ON u.user_id = $7 WHERE w.workspace_id = ANY ($1::uuid[])`,
    [
      [who.workspace_id, ...named.flatMap(([name, id]) => (name === 'workspace_id' ? [id] : []))],
      done.now,
      contract.id,
      jsonText(Object.fromEntries([...made, ...named, ...notedIn(contract, done)])),
      changedBy(who),
      who.key_prefix ?? null,
      who.user_id,
    ],
  )
}

/** Account events are logged in the workspace that the person joined first. */
const AT_HOME = `WITH home AS (
    SELECT workspace_id, user_id FROM members WHERE user_id = $1 ORDER BY created_at, workspace_id LIMIT 1)
  INSERT INTO audit_events (workspace_id, user_id, at, operation, target, by)`

/** Logs events outside an operation, such as those on the way to signing in. */
export async function recordOutside(
  userId: string,
  operation:
    | 'makeFirstAccount'
    | 'resetPassword'
    | 'useRecoveryCode'
    | 'takeOffSecondFactor'
    | 'connectIdentity'
    | 'disownSignIn',
  now: Date,
): Promise<void> {
  await pool().query(`${AT_HOME} SELECT workspace_id, user_id, $2, $3, '{}', 'person' FROM home`, [
    userId,
    now,
    operation,
  ])
}

/** Logs a removal that no request asked for directly, in the transaction of its cause. */
export async function recordRemoval(
  tx: Pick<Prisma.TransactionClient, 'auditEvent'>,
  who: { workspace_id: string; user_id: string },
  removed: string,
  now: Date,
): Promise<void> {
  const target = { user_id: removed }
  await tx.auditEvent.create({ data: { ...who, at: now, operation: 'removeMember', target, by: 'person' } })
}

/** Logs that somebody accepted an invitation, in the workspace they joined and in its transaction. */
export async function recordAcceptance(
  tx: Pick<Prisma.TransactionClient, 'auditEvent'>,
  who: { workspace_id: string; user_id: string },
  invitation_id: string,
  now: Date,
): Promise<void> {
  const target = { invitation_id }
  await tx.auditEvent.create({
    data: { ...who, at: now, operation: 'acceptInvitation', target, by: 'person' },
  })
}

/** Logs a change that an identity provider caused for somebody in a workspace. */
export async function recordInWorkspace(
  { workspace_id, sign_in_domain_id }: { workspace_id: string; sign_in_domain_id?: string },
  { user_id }: { user_id: string },
  operation: 'joinByDomain' | 'followGroups' | 'loseSignInDomain',
  now: Date,
): Promise<void> {
  await pool().query(
    `INSERT INTO audit_events (workspace_id, user_id, at, operation, target, by)
     SELECT workspace_id, $2, $3, $4, $5, 'person' FROM workspaces WHERE workspace_id = $1`,
    [workspace_id, user_id, now, operation, jsonText(sign_in_domain_id ? { sign_in_domain_id } : {})],
  )
}

/** Logs a failed sign-in, at most ten a minute: guessing must not fill the log. */
export async function recordFailure(
  userId: string,
  operation: 'failedSignIn' | 'failedSecondFactor',
  place: string,
  now: Date,
): Promise<void> {
  if ((await takeToken(`failure-noted:${userId}`, FAILURES_NOTED, now)) < 0) return
  await pool().query(`${AT_HOME} SELECT workspace_id, user_id, $2, $3, $4, 'stranger' FROM home`, [
    userId,
    now,
    operation,
    jsonText({ place: networkPlaceLabel(place) ?? 'unknown' }),
  ])
}

/** The current name in the workspace ($1) of a target's id (`t.key`, `t.value`). */
const NAMED = [
  ['campaign_id', 'campaigns', 'campaign_id', 'name'],
  ['dataset_id', 'datasets', 'dataset_id', 'dataset_name'],
  ['template_id', 'templates', 'template_id', 'name'],
  ['mailbox_id', 'mailboxes', 'mailbox_id', 'address'],
  ['domain_id', 'mail_domains', 'domain_id', 'domain'],
  ['account_id', 'connected_accounts', 'account_id', 'name'],
  ['upload_id', 'uploaded_files', 'upload_id', 'filename'],
  ['sign_in_domain_id', 'sign_in_domains', 'sign_in_domain_id', 'domain'],
]
  .map(
    ([key, table, column, name]) =>
      `SELECT t.value AS id, ${name} AS name FROM ${table}
       WHERE t.key = '${key}' AND ${table}.workspace_id = $1 AND ${table}.${column}::text = t.value`,
  )
  .concat(
    `SELECT t.value AS id, coalesce(nullif(name, ''), email) AS name FROM users
     JOIN (SELECT user_id FROM members WHERE workspace_id = $1 UNION SELECT user_id FROM past_members WHERE workspace_id = $1)
       known USING (user_id) WHERE t.key = 'user_id' AND user_id::text = t.value`,
    `SELECT t.value AS id, w.name FROM workspaces w WHERE t.key IN ('workspace_id', 'parent_workspace_id') AND w.workspace_id::text = t.value
       AND (w.parent_workspace_id = $1 OR w.workspace_id = (SELECT parent_workspace_id FROM workspaces WHERE workspace_id = $1))`,
  )
  .join(' UNION ALL ')

/** Converts a page's date fields into the list's filter. */
export const readDayRange = toDayRange

export async function listAuditEvents(workspaceId: string, query: z.output<typeof ListAuditEvents.query>) {
  const { page, page_size, operation, by, key_prefix, target_id, from, to, user_id } = query
  const where = [
    'e.workspace_id = $1',
    '($2::text IS NULL OR operation = $2)',
    '($3::text IS NULL OR by = $3::"ChangedBy")',
    '($4::text IS NULL OR key_prefix = $4)',
    `($5::text IS NULL OR EXISTS (SELECT 1 FROM jsonb_each_text(target) t WHERE t.value = $5))`,
    '($6::timestamptz IS NULL OR at >= $6) AND ($7::timestamptz IS NULL OR at < $7)',
    '($8::uuid IS NULL OR e.user_id = $8)',
  ].join(' AND ')
  const values = [workspaceId, operation, by, key_prefix, target_id, from, to, user_id].map(
    (value) => value ?? null,
  )
  const [items, total] = await Promise.all([
    pool().query(
      `SELECT e.audit_event_id, e.at, e.operation, e.target, e.by, e.key_prefix, e.user_id,
         coalesce(nullif(u.name, ''), u.email) AS user_name,
         (SELECT coalesce(jsonb_object_agg(named.id, named.name), '{}')
          FROM jsonb_each_text(e.target) t JOIN LATERAL (${NAMED}) named ON named.name IS NOT NULL) AS target_names
       FROM audit_events e LEFT JOIN users u ON u.user_id = e.user_id WHERE ${where}
       ORDER BY e.at DESC, e.audit_event_id DESC LIMIT $9 OFFSET $10`,
      [...values, page_size, firstRow({ page, page_size })],
    ),
    pool().query<{ count: number }>(
      `SELECT count(*)::int AS count FROM audit_events e WHERE ${where}`,
      values,
    ),
  ])
  return { items: items.rows, total: total.rows[0]?.count ?? 0, page, page_size }
}
