import { StatusPill } from '#components/ui/status-pill'
import type { Dataset } from '#lib/contracts/datasets'

const LOOKS = {
  queued: { tone: 'neutral', mark: 'hollow', label: 'Queued' },
  processing: { tone: 'accent', mark: 'pulse', label: 'Importing' },
  completed: { tone: 'success', mark: 'check', label: 'Ready' },
  failed: { tone: 'danger', mark: 'cross', label: 'Failed' },
  cancelled: { tone: 'neutral', mark: 'cross', label: 'Cancelled' },
} as const satisfies Record<NonNullable<Dataset['status']>, Parameters<typeof StatusPill>[0]>

export function DatasetStatus({ status }: { status: Dataset['status'] }) {
  return status ? <StatusPill {...LOOKS[status]} /> : null
}

/** Whether the page should look again by itself. */
export const isUnderway = (dataset: Pick<Dataset, 'status'>): boolean =>
  dataset.status === 'queued' || dataset.status === 'processing'
