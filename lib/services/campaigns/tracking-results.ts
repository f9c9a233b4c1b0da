import type { PoolClient } from 'pg'
import { z } from 'zod'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import { db } from '#lib/db/client'
import type { TrackedGroup } from '#lib/domain/analytics/campaign-analytics'
import type { TrackingClass } from '#lib/domain/analytics/tracking-class'
import { ALL_TIME, type Span } from '#lib/services/campaigns/span'

const Evidence = z.array(z.object({ rule: z.string(), found: z.string() }))

type Tracked = {
  tracked: number
  people: number
  machines_only: number
  hits: Record<TrackingClass, number>
}

/** Opens and clicks by lead, each over the steps that track them; null where no step does. */
export async function countTracking(
  client: PoolClient,
  campaign: { campaign_id: string; steps_config: StepConfig[] },
  span: Span,
): Promise<{ opens: Tracked | null; clicks: Tracked | null }> {
  const stepsThat = (flag: 'track_opens' | 'track_clicks') =>
    campaign.steps_config.filter((step) => step.channel === 'email' && step[flag]).map((step) => step.step)
  return {
    // A click counts as an open too, whether or not the image was fetched.
    opens: await countKind(client, campaign.campaign_id, stepsThat('track_opens'), ['open', 'click'], span),
    clicks: await countKind(client, campaign.campaign_id, stepsThat('track_clicks'), ['click'], span),
  }
}

async function countKind(
  client: PoolClient,
  campaignId: string,
  steps: number[],
  kinds: string[],
  span: Span,
) {
  if (steps.length === 0) return null
  const { rows } = await client.query<Omit<Tracked, 'hits'> & Tracked['hits']>(
    `WITH leads AS (
       SELECT campaign_lead_id, bool_or(class = 'human') AS is_human,
         bool_or(kind = $4::"TrackingKind") AS is_of_kind,
         ${CLASSES.map((name) => `sum(hits) FILTER (WHERE class = '${name}' AND kind = $4::"TrackingKind") AS ${name}`)}
       FROM tracking_events WHERE campaign_id = $1 AND step = ANY ($2) AND kind = ANY ($3::"TrackingKind"[])
         ${span === ALL_TIME ? '' : WITHIN}
       GROUP BY campaign_lead_id)
     SELECT (SELECT count(DISTINCT campaign_lead_id)::int FROM actions
         WHERE campaign_id = $1 AND step = ANY ($2) AND status IN ('sent', 'uncertain')
         AND performed_at >= $5 AND performed_at < $6) AS tracked,
       count(*) FILTER (WHERE is_human)::int AS people,
       count(*) FILTER (WHERE is_of_kind AND NOT is_human)::int AS machines_only,
       ${CLASSES.map((name) => `coalesce(sum(${name}), 0)::int AS ${name}`)}
     FROM leads`,
    [campaignId, steps, kinds, kinds[0], span.after, span.before],
  )
  const { human = 0, proxy = 0, scanner = 0, ...leads } = rows[0] ?? {}
  return { tracked: 0, people: 0, machines_only: 0, ...leads, hits: { human, proxy, scanner } }
}

/** An open or click counts on the day its message was sent. */
const WITHIN = `AND EXISTS (SELECT 1 FROM actions a WHERE a.action_id = tracking_events.action_id
           AND a.performed_at >= $5 AND a.performed_at < $6)`

const CLASSES: TrackingClass[] = ['human', 'proxy', 'scanner']

/** Messages that a person opened or clicked, by step and variant. */
export async function countTrackedActions(
  client: PoolClient,
  campaignId: string,
  span: Span,
): Promise<TrackedGroup[]> {
  const { rows } = await client.query<TrackedGroup>(
    `SELECT a.step, a.variant_label, count(*)::int AS opened, count(*) FILTER (WHERE t.clicked)::int AS clicked
     FROM (SELECT action_id, bool_or(kind = 'click') AS clicked FROM tracking_events
       WHERE campaign_id = $1 AND class = 'human' GROUP BY action_id) t
     JOIN actions a USING (action_id) WHERE a.status IN ('sent', 'uncertain')
       AND a.performed_at >= $2 AND a.performed_at < $3 GROUP BY 1, 2`,
    [campaignId, span.after, span.before],
  )
  return rows
}

const WORDS: Record<TrackingClass, string | null> = {
  human: null,
  proxy: 'A mail service loaded the image. Whether a person saw it is unknown.',
  scanner: 'A program, not a person.',
}

/** For a lead's timeline: each step's first open and first click of each class. */
export async function trackedEvents(leadId: string) {
  const rows = await db.trackingEvent.findMany({
    where: { campaign_lead_id: leadId },
    orderBy: { first_at: 'asc' },
  })
  const groups = Map.groupBy(rows, (row) => `${row.step} ${row.kind} ${row.class}`)
  return [...groups.values()].flatMap(([first, ...more]) => {
    if (!first) return []
    const hits = more.reduce((sum, row) => sum + row.hits, first.hits)
    return {
      at: first.first_at,
      kind: first.kind === 'open' ? 'opened' : 'clicked',
      step: first.step,
      channel: 'email',
      reason: WORDS[first.class],
      detail: {
        class: first.class,
        hits,
        ...(first.url === null ? {} : { url: first.url }),
        evidence: Evidence.parse(first.evidence),
      },
    }
  })
}
