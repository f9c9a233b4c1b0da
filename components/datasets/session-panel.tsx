import { Undo2 } from 'lucide-react'
import { ActionButton } from '#components/ui/controls/action-button'
import type { FormResult } from '#components/ui/controls/action-form'
import { LinkButton } from '#components/ui/controls/link-button'
import { counted } from '#components/ui/counted'
import { ProgressLine } from '#components/ui/feedback/progress'
import { StatusPill } from '#components/ui/feedback/status-pill'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import { RelativeTime } from '#components/ui/relative-time'
import type { DatasetSession } from '#lib/contracts/enrichment/dataset-sessions'
import { reasonText, WORKS } from './session-words.ts'

const LOOKS = {
  queued: { tone: 'neutral', mark: 'hollow', label: 'Queued' },
  processing: { tone: 'accent', mark: 'pulse', label: 'Running' },
  completed: { tone: 'success', mark: 'check', label: 'Done' },
  failed: { tone: 'danger', mark: 'cross', label: 'Failed' },
  cancelled: { tone: 'neutral', mark: 'cross', label: 'Cancelled' },
} as const satisfies Record<DatasetSession['status'], Parameters<typeof StatusPill>[0]>

export type SessionActs = {
  cancel: (dataset_id: string, session_id: string) => Promise<FormResult>
  undo: (dataset_id: string, session_id: string) => Promise<FormResult>
}

type Props = { session: DatasetSession; now: string; acts: SessionActs }

export const isSessionUnderway = ({ status }: Pick<DatasetSession, 'status'>) =>
  status === 'queued' || status === 'processing'

/** One session: progress, what it filled per column and why not more, and undo. */
export function SessionPanel({ session, now, acts }: Props) {
  const { work, status, leads_count, processed_count, failed_count, cost } = session
  const isRunning = isSessionUnderway(session)
  const isFlush = session.fields.length > 0 || work === 'import'
  // The heading of a finished import already says everything.
  const isOfTexts = work === 'personalization'
  const isBare =
    (work === 'import' || isOfTexts) && !isRunning && !session.error && session.fields.length === 0
  return (
    <Panel
      title={WORKS[work]}
      description={
        <>
          <RelativeTime at={session.session_created_at} now={now} />
          {' · '}
          {processed_count.toLocaleString('en')} of {counted(leads_count, 'rows')}
          {failed_count > 0 &&
            ` · ${failed_count.toLocaleString('en')} ${work === 'import' ? 'refused' : 'failed'}`}
          {cost > 0 && ` · cost ${cost.toLocaleString('en', { maximumFractionDigits: 2 })}`}
        </>
      }
      flush={isFlush}
      action={<SessionActions session={session} acts={acts} />}
    >
      {isBare ? undefined : (
        <>
          {isRunning && (
            <div className={isFlush ? 'px-4 py-3' : undefined}>
              <ProgressLine
                label={WORKS[work]}
                value={status === 'queued' ? undefined : session.progress_percentage}
              />
            </div>
          )}
          {session.error && <p className="px-4 py-3 text-sm text-danger">{session.error}</p>}
          {session.fields.length > 0 &&
            (work === 'verification' ? (
              <VerifiedCounts fields={session.fields} />
            ) : (
              <FieldTable fields={session.fields} />
            ))}
          {!isRunning && !session.error && session.fields.length === 0 && work !== 'import' && (
            <p className="text-sm text-muted">Nothing to do.</p>
          )}
        </>
      )}
    </Panel>
  )
}

/** Verification changes no cells; shows its results. */
const VerifiedCounts = ({ fields }: Pick<DatasetSession, 'fields'>) => (
  <p className="px-4 py-3 text-sm">
    {fields
      .flatMap(({ skipped }) => skipped)
      .map(({ reason, count }) => `${count.toLocaleString('en')} ${reasonText(reason)}`)
      .join(' · ')}
  </p>
)

function FieldTable({ fields }: Pick<DatasetSession, 'fields'>) {
  return (
    <Table caption="Results by column">
      <thead>
        <tr>
          <Th>Column</Th>
          <Th numeric>Filled</Th>
          <Th numeric>Left</Th>
          <Th className="w-1/2">Why</Th>
        </tr>
      </thead>
      <tbody>
        {fields.map(({ field, filled, skipped }) => (
          <Tr key={field}>
            <Td lead>{field}</Td>
            <Td label="Filled" numeric>
              {filled.toLocaleString('en')}
            </Td>
            <Td label="Left" numeric>
              {skipped.reduce((sum, one) => sum + one.count, 0).toLocaleString('en')}
            </Td>
            <Td label="Why" className="text-muted">
              {skipped
                .map(({ reason, count }) => `${reasonText(reason)} (${count.toLocaleString('en')})`)
                .join(', ') || '–'}
            </Td>
          </Tr>
        ))}
      </tbody>
    </Table>
  )
}

/** The session's status, a link to its results, and undo. */
function SessionActions({ session, acts }: Omit<Props, 'now'>) {
  const { dataset_id, session_id, work, status } = session
  const isRunning = isSessionUnderway(session)
  const filled = session.fields.reduce((sum, one) => sum + one.filled, 0)
  return (
    <>
      <StatusPill
        {...(session.undone_at ? { tone: 'neutral', mark: 'half', label: 'Undone' } : LOOKS[status])}
      />
      {work === 'email_finder' && (
        <LinkButton size="sm" href={`/datasets/${dataset_id}/sessions/${session_id}`}>
          Results
        </LinkButton>
      )}
      {work === 'verification' && (
        <LinkButton size="sm" href={`/datasets/${dataset_id}/verification`}>
          Results
        </LinkButton>
      )}
      {work === 'personalization' && (
        <LinkButton size="sm" href={`/personalize/${session_id}`}>
          Texts
        </LinkButton>
      )}
      {isRunning && (
        <ActionButton
          size="sm"
          act={acts.cancel.bind(null, dataset_id, session_id)}
          confirm={{
            title: `Cancel the session “${WORKS[work]}”?`,
            description:
              work === 'personalization'
                ? 'Finished texts stay, and you can review them.'
                : 'Finished rows are kept; undo restores them.',
            label: 'Cancel the session',
          }}
        >
          Cancel
        </ActionButton>
      )}
      {!isRunning && filled > 0 && (
        <ActionButton
          size="sm"
          act={acts.undo.bind(null, dataset_id, session_id)}
          confirm={{
            title: `Undo ${filled.toLocaleString('en')} ${filled === 1 ? 'cell' : 'cells'} of the session “${WORKS[work]}”?`,
            description:
              'Every cell gets its previous value back. Cells changed since, and cells of leads in a running campaign, are kept.',
            label: 'Undo the session',
            danger: true,
          }}
        >
          <Undo2 aria-hidden /> {session.undone_at ? 'Undo the rest' : 'Undo'}
        </ActionButton>
      )}
    </>
  )
}
