import type { PoolClient } from 'pg'
import type { CellChange, Findings } from '#lib/domain/enrichment/proposal'
import type { EnrichmentProvider } from '#lib/providers/enrichment/port'
import type { Verifier } from '#lib/providers/verification/service'
import type { BatchRow } from '#lib/services/enrichment/batch'
import type { FinderTools } from '#lib/services/finder/tools'

/** What external sources found for a row, before its batch is written. */
export type Gathered = Findings & { has_failed: boolean }

export type Tools = {
  clock: () => Date
  providers: readonly EnrichmentProvider[]
  verifiers: readonly Verifier[]
  finder: FinderTools
}

export type Pipeline = {
  /** Rows per transaction. */
  batch: number
  overwrite: boolean
  /** Queries external sources, before the transaction. Its results must survive a crash on their own. */
  gather?: (rows: readonly BatchRow[]) => Promise<Map<number, Gathered>>
  find: (
    client: PoolClient,
    rows: readonly BatchRow[],
    gathered: ReadonlyMap<number, Gathered>,
  ) => Promise<Map<number, Findings>>
  /** Records what happened to the gathered results. */
  record?: (
    client: PoolClient,
    outcomes: readonly { lead_index: number; changes: readonly CellChange[] }[],
  ) => Promise<void>
}
