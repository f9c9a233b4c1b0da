import type { Metadata } from 'next'
import { ReviewList } from '#components/personalize/review-list'
import { isRunUnderway, RunStatus } from '#components/personalize/run-status'
import { ActionButton } from '#components/ui/controls/action-button'
import { counted } from '#components/ui/counted'
import { Callout } from '#components/ui/feedback/callout'
import { LiveRefresh } from '#components/ui/feedback/live-refresh'
import { ProgressLine } from '#components/ui/feedback/progress'
import { Stat, StatRow } from '#components/ui/feedback/stat'
import { Kbd } from '#components/ui/kbd'
import { Breadcrumbs } from '#components/ui/layout/breadcrumbs'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { Pagination } from '#components/ui/layout/pagination'
import { paging } from '#lib/contracts/fields'
import { ListGenerations } from '#lib/contracts/personalize/generations'
import { type PersonalizationRun, ReadPersonalizationRun } from '#lib/contracts/personalize/personalize'
import { requireUser } from '#lib/http/session'
import { getDataset } from '#lib/services/datasets/datasets'
import { listGenerations } from '#lib/services/personalize/rows'
import { getRun } from '#lib/services/personalize/runs'
import { orNotFound, parseParams, parseQuery } from '../../../page-input.ts'
import { approveRun, approveText, cancelRun, editText, rejectText, writeAnew } from '../actions.ts'

export const metadata: Metadata = { title: 'Review texts' }

const Query = ListGenerations.query.extend(paging).pick({ page: true })
const SIZE = 20
const KEYS = [
  ['j', 'next'],
  ['k', 'previous'],
  ['a', 'approve'],
  ['r', 'reject'],
  ['e', 'edit'],
] as const

export default async function RunPage({ params, searchParams }: PageProps<'/personalize/[run_id]'>) {
  const user = await requireUser()
  const { run_id } = parseParams(ReadPersonalizationRun.params, await params)
  const { page } = parseQuery(Query, await searchParams)
  const run = ReadPersonalizationRun.response.parse(await orNotFound(getRun(user.workspace_id, run_id)))
  const [{ columns }, listed] = await Promise.all([
    getDataset(user.workspace_id, run.dataset_id),
    listGenerations(user.workspace_id, run_id, { offset: (page - 1) * SIZE, limit: SIZE }),
  ])
  const { generations, total_generations } = ListGenerations.response.parse(listed)
  const underway = isRunUnderway(run)
  return (
    <>
      <PageHeader
        above={<Breadcrumbs items={[{ href: '/personalize', label: 'Personalize' }]} />}
        title={run.dataset_name}
        description={`Written by ${run.model}. Nothing is sent until you approve it.`}
        actions={
          underway ? (
            <ActionButton act={cancelRun.bind(null, run_id)}>Stop</ActionButton>
          ) : (
            <Approvals run={run} />
          )
        }
      />
      <PageBody>
        <RunFigures run={run} />
        <div className="flex flex-wrap items-center gap-3 text-sm">
          <RunStatus run={run} />
          {underway && (
            <span className="w-48">
              <ProgressLine
                label="Written so far"
                value={(100 * (run.generated_count + run.failed_count)) / Math.max(1, run.total)}
              />
            </span>
          )}
          <Keys />
        </div>
        {run.error && <Callout tone="danger">{run.error}</Callout>}
        {run.unknown_calls > 0 && (
          <Callout tone="warning">
            {run.unknown_calls === 1
              ? '1 call got no answer. It counts as paid and was retried once.'
              : `${run.unknown_calls} calls got no answer. They count as paid and were retried once.`}
          </Callout>
        )}
        <Texts key={page} run={run} texts={generations} columns={columns.map(({ key }) => key)} />
        <Pagination
          path={`/personalize/${run_id}`}
          query={{}}
          page={page}
          page_size={SIZE}
          total={total_generations}
          noun="texts"
        />
        <LiveRefresh every_seconds={2} active={underway} watch="runs" />
      </PageBody>
    </>
  )
}

const Keys = () => (
  <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted max-sm:hidden">
    {KEYS.map(([key, does]) => (
      <span key={key} className="inline-flex items-center gap-1.5">
        <Kbd>{key}</Kbd> {does}
      </span>
    ))}
  </span>
)

function RunFigures({ run }: { run: PersonalizationRun }) {
  const tokens = (run.tokens_in + run.tokens_out).toLocaleString('en')
  const failed = run.failed_count > 0 ? `, ${run.failed_count.toLocaleString('en')} failed` : ''
  return (
    <StatRow>
      <Stat
        label="Written"
        value={run.generated_count.toLocaleString('en')}
        detail={`of ${counted(run.total, 'leads')}${failed}`}
      />
      <Stat label="Approved" value={run.approved_count.toLocaleString('en')} detail="of the texts written" />
      <Stat
        label="Flagged"
        value={run.flagged_count.toLocaleString('en')}
        detail="contain something that is not in your data"
      />
      <Stat
        label="Cost"
        value={run.cost === null ? '–' : `$${run.cost.toFixed(4)}`}
        detail={`${tokens} tokens`}
      />
    </StatRow>
  )
}

function Approvals({ run }: { run: PersonalizationRun }) {
  return (
    <>
      {run.flagged_count > 0 && (
        <ActionButton
          variant="ghost"
          act={approveRun.bind(null, run.run_id, true)}
          confirm={{
            title: `Approve the ${run.flagged_count.toLocaleString('en')} flagged texts too?`,
            description: 'Each of them contains something that is not in your data.',
            label: 'Approve all',
            danger: true,
          }}
        >
          Approve all
        </ActionButton>
      )}
      <ActionButton variant="primary" act={approveRun.bind(null, run.run_id, false)}>
        Approve all without flags
      </ActionButton>
    </>
  )
}

type TextsProps = { run: PersonalizationRun } & Pick<Parameters<typeof ReviewList>[0], 'texts' | 'columns'>

function Texts({ run, texts, columns }: TextsProps) {
  return (
    <ReviewList
      texts={texts}
      columns={columns}
      open={!isRunUnderway(run)}
      writer={run.model}
      acts={{ approve: approveText, reject: rejectText, anew: writeAnew, edit: editText }}
    />
  )
}
