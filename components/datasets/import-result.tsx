import { Link } from '#components/ui/controls/link'
import { LinkButton } from '#components/ui/controls/link-button'
import { counted } from '#components/ui/counted'
import { Callout } from '#components/ui/feedback/callout'
import { ProgressLine } from '#components/ui/feedback/progress'
import { Stat, StatRow } from '#components/ui/feedback/stat'
import { Panel } from '#components/ui/layout/panel'
import type { Dataset } from '#lib/contracts/datasets/datasets'
import { isUnderway } from './dataset-status.tsx'
import { WORKS } from './session-words.ts'

/** Rows in = rows kept + rows refused, announced to screen readers; while the import runs, its progress. */
export function ImportResult({ dataset, isRejects }: { dataset: Dataset; isRejects?: boolean }) {
  const { row_count: kept, reject_count: refused } = dataset
  if (dataset.work !== null && dataset.work !== 'import' && isUnderway(dataset)) {
    return (
      <Panel>
        <p className="mb-2 flex flex-wrap justify-between gap-x-4 text-sm">
          <span>
            {WORKS[dataset.work]}: {(dataset.processed_count ?? 0).toLocaleString('en')} of{' '}
            {counted(dataset.leads_count ?? 0, 'rows')}
          </span>
          <Link href={`/datasets/${dataset.dataset_id}/sessions`} className="underline underline-offset-4">
            View session
          </Link>
        </p>
        <ProgressLine label={WORKS[dataset.work]} value={dataset.progress_percentage ?? undefined} />
      </Panel>
    )
  }
  if (isUnderway(dataset)) {
    return (
      <Panel>
        <p className="mb-2 flex justify-between text-sm">
          <span>{dataset.status === 'queued' ? 'Queued' : 'Reading the rows'}</span>
          <span className="text-muted">{Math.round(dataset.progress_percentage ?? 0)} %</span>
        </p>
        <ProgressLine label="Import" value={dataset.progress_percentage ?? undefined} />
      </Panel>
    )
  }
  if (dataset.status === 'failed' && dataset.work === 'import') {
    return (
      <Callout tone="danger" title="The import failed. Nothing from this file was saved.">
        {dataset.error ?? 'No reason was recorded.'}
      </Callout>
    )
  }
  return (
    <>
      <StatRow>
        <Stat
          label="Rows in the file"
          value={(kept + refused).toLocaleString('en')}
          detail="below the header, not empty"
        />
        <Stat label="Kept" value={kept.toLocaleString('en')} detail="as leads" />
        <Stat label="Refused" value={refused.toLocaleString('en')} detail="each with its reason" />
      </StatRow>
      {refused > 0 && !isRejects && (
        <Callout
          tone="warning"
          action={
            <LinkButton size="sm" href={`/datasets/${dataset.dataset_id}/rejects`}>
              See why
            </LinkButton>
          }
        >
          {refused === 1
            ? '1 row was refused. Correct it here, or leave it out.'
            : `${refused.toLocaleString('en')} rows were refused. Correct them here, or leave them out.`}
        </Callout>
      )}
    </>
  )
}
