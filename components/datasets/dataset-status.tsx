import { StatusPill } from '#components/ui/feedback/status-pill'
import type { Dataset } from '#lib/contracts/datasets/datasets'
import { WORKS } from './session-words.ts'

const LOOKS = {
  queued: { tone: 'neutral', mark: 'hollow', label: 'Queued' },
  processing: { tone: 'accent', mark: 'pulse', label: 'Importing' },
  completed: { tone: 'success', mark: 'check', label: 'Ready' },
  failed: { tone: 'danger', mark: 'cross', label: 'Failed' },
  cancelled: { tone: 'neutral', mark: 'cross', label: 'Cancelled' },
} as const satisfies Record<NonNullable<Dataset['status']>, Parameters<typeof StatusPill>[0]>

/**
 * The status of the import. A later session in progress is mentioned; a failed one leaves the dataset ready.
 */
export function DatasetStatus({ dataset: { status, work } }: { dataset: Pick<Dataset, 'status' | 'work'> }) {
  if (!status) return null
  if (work === 'import' || work === null) return <StatusPill {...LOOKS[status]} />
  const isRunning = status === 'queued' || status === 'processing'
  return <StatusPill {...(isRunning ? { ...LOOKS.processing, label: WORKS[work] } : LOOKS.completed)} />
}

/** Whether the page should refresh itself. */
export const isUnderway = (dataset: Pick<Dataset, 'status'>): boolean =>
  dataset.status === 'queued' || dataset.status === 'processing'
