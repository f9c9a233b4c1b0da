import type { Pool, PoolClient } from 'pg'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import { pool as appPool } from '#lib/db/client'
import { inTransaction } from '#lib/db/transaction'
import { variantArms } from '#lib/domain/analytics/campaign-analytics'
import { thompsonWeights } from '#lib/domain/analytics/variant-choice'
import { countActions, countEndings } from '#lib/services/campaigns/campaign-analytics'
import { logged, writeLog } from '#lib/services/campaigns/decision-log'

const DAY_MS = 86_400_000
/** With fewer sends a variant's results are too weak to override its owner's weights. */
const LEAST_TRIALS = 50

type Weighted = { campaign_id: string; workspace_id: string; steps_config: StepConfig[] }

/**
 * Moves variant weights of running campaigns that opted in towards the variants with more replies, at most daily per campaign. Affects only
 * leads not yet claimed for a step; the ledger keeps the variant of the others. Returns how many campaigns were examined and how many
 * changed.
 */
export async function shiftVariantWeights(now: Date, pool: Pool = appPool()) {
  const done = { looked: 0, shifted: 0 }
  for (;;) {
    const shifted = await inTransaction(pool, (client) => shiftNext(client, now))
    if (shifted === null) return done
    done.looked += 1
    done.shifted += shifted ? 1 : 0
  }
}

/** Handles one campaign per transaction, under the lock that claims take; null when none is left. */
async function shiftNext(client: PoolClient, now: Date): Promise<boolean | null> {
  const { rows } = await client.query<Weighted>(
    `SELECT campaign_id, workspace_id, steps_config FROM campaigns
     WHERE auto_variant_weights AND status IN ('active', 'draining')
       AND (variant_weights_at IS NULL OR variant_weights_at <= $1)
     ORDER BY campaign_id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`,
    [new Date(now.getTime() - DAY_MS)],
  )
  const campaign = rows[0]
  if (!campaign) return null
  const actions = await countActions(client, campaign.campaign_id)
  const endings = await countEndings(client, campaign.campaign_id)
  const changes = campaign.steps_config.flatMap((config) => {
    const arms = variantArms(config, actions, endings)
    const live = arms.filter((arm) => arm.weight > 0)
    if (live.length < 2 || live.some((arm) => arm.trials < LEAST_TRIALS)) return []
    const weights = thompsonWeights(arms)
    const variants = config.variants.map((variant, index) => ({
      ...variant,
      weight: weights[index] ?? variant.weight,
    }))
    return variants.some((variant, index) => variant.weight !== config.variants[index]?.weight)
      ? [{ step: config.step, before: toWeights(config.variants), after: toWeights(variants), variants }]
      : []
  })
  const steps = campaign.steps_config.map((config) => {
    const change = changes.find((candidate) => candidate.step === config.step)
    return change ? { ...config, variants: change.variants } : config
  })
  await client.query(
    'UPDATE campaigns SET steps_config = $2, variant_weights_at = $3 WHERE campaign_id = $1',
    [campaign.campaign_id, JSON.stringify(steps), now],
  )
  await writeLog(
    client,
    changes.map(({ step, before, after }) =>
      logged(campaign, 'weights_shifted', now, {
        step,
        reason: `Step ${step}: weight moved to the variants that get more replies.`,
        detail: { before, after },
      }),
    ),
  )
  return changes.length > 0
}

const toWeights = (variants: StepConfig['variants']) =>
  Object.fromEntries(variants.map((variant) => [variant.label, variant.weight]))
