'use client'

import { Button } from '#components/ui/button'
import { Callout } from '#components/ui/callout'
import { Dialog } from '#components/ui/dialog'
import { changesOf, type Line } from './diff.tsx'
import type { SequenceProps } from './editor-props.tsx'
import type { Item } from './steps.tsx'

type Props = Pick<SequenceProps, 'templates' | 'profiles'> & {
  before: Item[]
  after: Item[]
  /** Leads that may still get the step of each place; null while it is being counted, or where that failed. */
  ahead: number[] | null
  account: Line | null
  onConfirm: () => void
  onClose: () => void
}

/** Before an edit to a launched campaign is saved: what will be different, and for how many. */
export function LiveDiff(props: Props) {
  const { before, after, templates, profiles, ahead, account, onConfirm, onClose } = props
  const changes = changesOf(before, after, {
    templates,
    profiles: profiles.flatMap(({ id, profile_name }) => (id ? [{ id, name: profile_name }] : [])),
  })
  const most = Math.max(0, ...changes.map(({ step }) => ahead?.[step - 1] ?? 0))
  const whom = ahead === null ? 'the leads under way' : leadsOf(most)
  return (
    <Dialog
      isOpen
      wide
      onClose={onClose}
      title={`Save these changes for ${whom}?`}
      description="The campaign was launched already. What was sent stays sent; leads that wait for a changed step wait for what it is now, counted from what they really got."
      footer={
        <>
          <Button onClick={onClose}>Go on editing</Button>
          <Button variant="primary" onClick={onConfirm}>
            Save for {whom}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {changes.length === 0 && !account && <Callout>Nothing is different from what is saved.</Callout>}
        {account && (
          <section className="min-w-0">
            <h3 className="text-sm font-medium">All social steps</h3>
            <Lines lines={[account]} />
          </section>
        )}
        {changes.map((change) => (
          <section key={change.key} className="min-w-0">
            <h3 className="flex flex-wrap items-baseline justify-between gap-x-4 text-sm font-medium">
              {change.title}
              <span className="font-normal text-muted">
                {ahead === null ? '' : `still before ${leadsOf(ahead[change.step - 1] ?? 0)}`}
              </span>
            </h3>
            <Lines lines={change.lines} />
          </section>
        ))}
      </div>
    </Dialog>
  )
}

const leadsOf = (count: number) => (count === 1 ? '1 lead' : `${count.toLocaleString('en')} leads`)

function Lines({ lines }: { lines: Line[] }) {
  if (lines.length === 0) return null
  return (
    <dl className="mt-1 divide-y divide-border rounded-sm border border-border text-sm">
      {lines.map(({ what, before, after }) => (
        <div key={what} className="grid gap-x-3 gap-y-1 px-3 py-2 sm:grid-cols-[7rem_minmax(0,1fr)]">
          <dt className="text-muted">{what}</dt>
          <dd className="grid min-w-0 gap-1 whitespace-pre-wrap wrap-anywhere">
            {before !== null && (
              <del className="rounded-xs bg-danger-subtle px-1.5 py-0.5 text-danger">
                <span className="sr-only">Before: </span>
                {before}
              </del>
            )}
            {after !== null && (
              <ins className="rounded-xs bg-success-subtle px-1.5 py-0.5 text-success no-underline">
                <span className="sr-only">After: </span>
                {after}
              </ins>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
