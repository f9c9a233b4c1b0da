import type { z } from 'zod'
import type { CurrentUser } from '#lib/contracts/workspaces/auth'
import type { ListWorkspaceOverviews, WorkspaceOverview } from '#lib/contracts/workspaces/overview'
import { pool } from '#lib/db/client'
import { firstRow } from '#lib/db/page'
import { AWAITS_ANSWER, isOpenAt } from '#lib/services/campaigns/reports/awaited-answers'

const DAY_MS = 86_400_000

type Asker = Pick<CurrentUser, 'user_id' | 'workspace_id' | 'credential'>
type Figures = WorkspaceOverview['last_7_days']
type Described = Pick<WorkspaceOverview, 'workspace_id' | 'parent_workspace_id' | 'name' | 'slug' | 'role'>
type Waiting = NonNullable<WorkspaceOverview['waiting']>

/** `$1` is the user, `$2` the workspace of an API key or null, `$3` the search text. */
const MINE = `members m JOIN workspaces w ON w.workspace_id = m.workspace_id
  WHERE m.user_id = $1 AND ($2::uuid IS NULL OR m.workspace_id = $2)
    AND (strpos(lower(w.name), lower($3)) > 0 OR strpos(w.slug, lower($3)) > 0)`

/** Orders by the highest value in a family: a parent workspace that the user belongs to, and its children. */
const inFamily = (measure: string) =>
  `max(CASE WHEN p.role = 'client' THEN 0 ELSE ${measure} END) OVER family DESC`

/**
 * All workspaces of a user. Those with halted campaigns or failing senders come before those with conversations that await an answer;
 * children follow their parent. `$4` is now.
 */
const WAITING = `SELECT p.*, failed_launches, paused, mailboxes, accounts, unanswered_threads
  FROM (SELECT m.workspace_id, m.role::text AS role, w.name, w.slug,
      (SELECT above.workspace_id FROM members above WHERE above.workspace_id = w.parent_workspace_id
        AND above.user_id = m.user_id AND $2::uuid IS NULL) AS parent_workspace_id
    FROM ${MINE}) p
  CROSS JOIN LATERAL (
    SELECT coalesce(sum(r.campaigns) FILTER (WHERE r.status = 'failed'), 0)::int AS failed_launches,
      coalesce(sum(r.campaigns), 0)::int AS halted_campaigns,
      coalesce(json_agg(json_build_object('reason', r.paused_reason, 'campaigns', r.campaigns) ORDER BY r.paused_reason)
        FILTER (WHERE r.status = 'paused'), '[]') AS paused
    FROM (SELECT c.status, c.paused_reason, count(*)::int AS campaigns FROM campaigns c
          WHERE c.workspace_id = p.workspace_id
            AND (c.status = 'failed' OR c.status = 'paused' AND c.paused_reason <> 'user')
            AND c.status IN ('failed', 'paused')
          GROUP BY c.status, c.paused_reason) r) halted
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS mailboxes FROM mailboxes b
    WHERE b.workspace_id = p.workspace_id AND (b.status = 'failing' OR b.inbox_error IS NOT NULL)) failing
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS accounts FROM connected_accounts a
    WHERE a.workspace_id = p.workspace_id AND a.status <> 'connected') lost
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS unanswered_threads FROM threads t
    WHERE t.workspace_id = p.workspace_id AND ${isOpenAt('$4')} AND ${AWAITS_ANSWER}) unanswered
  WINDOW family AS (PARTITION BY coalesce(p.parent_workspace_id, p.workspace_id)),
    head AS (family ORDER BY p.parent_workspace_id IS NOT NULL, lower(p.name))
  ORDER BY ${inFamily('halted_campaigns + mailboxes + accounts')}, ${inFamily('unanswered_threads')},
    first_value(lower(p.name)) OVER head, coalesce(p.parent_workspace_id, p.workspace_id),
    p.parent_workspace_id IS NOT NULL, CASE WHEN p.role = 'client' THEN 0 ELSE halted_campaigns + mailboxes + accounts END DESC,
    CASE WHEN p.role = 'client' THEN 0 ELSE unanswered_threads END DESC, lower(p.name), p.workspace_id
  LIMIT $5 OFFSET $6`

/** A client sees only the campaigns assigned to them. */
const SEEN = `(m.role <> 'client' OR EXISTS (SELECT 1 FROM campaign_clients g
  WHERE g.workspace_id = m.workspace_id AND g.user_id = m.user_id AND g.campaign_id = c.campaign_id))`

const since = (column: string, from: string) => `FILTER (WHERE ${column} >= ${from})`

/** Figures of the workspaces `$2` from `$3` (30 days ago) and from `$4` (7 days ago) until `$5` (now). */
const FIGURES = `SELECT m.workspace_id, sent.*, answers.* FROM members m
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS sent_30, count(*) ${since('x.performed_at', '$4')}::int AS sent_7,
      count(DISTINCT x.campaign_lead_id)::int AS contacted_30,
      count(DISTINCT x.campaign_lead_id) ${since('x.performed_at', '$4')}::int AS contacted_7
    FROM campaigns c JOIN actions x ON x.campaign_id = c.campaign_id
    WHERE c.workspace_id = m.workspace_id AND ${SEEN} AND x.performed_at >= $3 AND x.performed_at <= $5
      AND x.status IN ('sent', 'uncertain')) sent
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS replied_30, count(*) ${since('l.last_event_at', '$4')}::int AS replied_7
    FROM campaign_leads l JOIN campaigns c ON c.campaign_id = l.campaign_id
    WHERE l.workspace_id = m.workspace_id AND ${SEEN} AND l.status = 'replied' AND l.last_event_at >= $3
      AND l.last_event_at <= $5) answers
  WHERE m.user_id = $1 AND m.workspace_id = ANY ($2::uuid[])`

type Counted = { workspace_id: string } & Record<`${'sent' | 'contacted' | 'replied'}_${7 | 30}`, number>

const toFigures = (sent: number, contacted: number, replied: number): Figures => ({
  sent,
  contacted,
  replied,
  // Capped at 1, because a reply in the period may answer a message sent before it.
  reply_rate: contacted === 0 ? null : Math.min(1, replied / contacted),
})

/** Three statements, however many workspaces there are: what needs attention in each, how many there are, and the figures of one page. */
export async function listWorkspaceOverviews(
  { user_id, workspace_id, credential }: Asker,
  { page, page_size, search = '' }: z.output<typeof ListWorkspaceOverviews.query>,
  now: Date,
) {
  const mine = [user_id, credential === 'api_key' ? workspace_id : null, search]
  const [described, counted] = await Promise.all([
    pool().query<Described & Waiting>(WAITING, [...mine, now, page_size, firstRow({ page, page_size })]),
    pool().query<{ total: number }>(`SELECT count(*)::int AS total FROM ${MINE}`, mine),
  ])
  const ago = (days: number) => new Date(now.getTime() - days * DAY_MS)
  const ids = described.rows.map((row) => row.workspace_id)
  const { rows } = await pool().query<Counted>(FIGURES, [user_id, ids, ago(30), ago(7), now])
  const figures = new Map(rows.map((row) => [row.workspace_id, row]))
  const items = described.rows.flatMap(
    ({ workspace_id: id, parent_workspace_id, name, slug, role, ...waiting }) => {
      const of = figures.get(id)
      // Skips a workspace that the user was removed from between the two statements.
      if (!of) return []
      return {
        workspace_id: id,
        parent_workspace_id,
        name,
        slug,
        role,
        last_7_days: toFigures(of.sent_7, of.contacted_7, of.replied_7),
        last_30_days: toFigures(of.sent_30, of.contacted_30, of.replied_30),
        waiting: role === 'client' ? null : waiting,
      }
    },
  )
  return { items, total: counted.rows[0]?.total ?? 0, page, page_size }
}
