'use client'

import dynamic from 'next/dynamic'
import { useEffect, useMemo, useState } from 'react'
import { LeaveGuard } from '#components/drafts/leave-guard'
import { Button } from '#components/ui/controls/button'
import { SegmentedControl } from '#components/ui/controls/segmented-control'
import { Callout } from '#components/ui/feedback/callout'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import { misfits } from '#lib/domain/campaigns/campaign-type'
import { PreviewSide } from '../step-previews/preview-side.tsx'
import { accountObstacle, actingAccounts } from './accounts.tsx'
import type { SequenceProps } from './editor-props.tsx'
import { Notices } from './notices.tsx'
import { problemsOf } from './problems.tsx'
import { SaveBar } from './save-bar.tsx'
import { StepFlow } from './step-flow.tsx'
import { StepPane } from './step-pane.tsx'
import { useEditor } from './use-editor.tsx'
import { useSaveKey } from './use-save-key.tsx'
import type { SequenceEdit } from './use-saving.tsx'

const loadDiff = () => import('../step-previews/live-diff.tsx').then((module) => module.LiveDiff)
const LiveDiff = dynamic(loadDiff)
const SequenceConflict = dynamic(
  () => import('./sequence-conflict.tsx').then((module) => module.SequenceConflict),
  { loading: () => null },
)

type Pane = 'steps' | 'edit' | 'preview'

const PANES: { value: Pane; label: string }[] = [
  { value: 'steps', label: 'Steps' },
  { value: 'edit', label: 'Edit' },
  { value: 'preview', label: 'Preview' },
]

/** Steps, the chosen one, and what a real lead gets of it: side by side where there is room, else behind three tabs. */
export function SequenceEditor(given: SequenceProps) {
  const [isMixed, setMixed] = useState(false)
  const type = isMixed ? 'mixed' : given.type
  const withType = (edit: SequenceEdit): SequenceEdit => (type === given.type ? edit : { ...edit, type })
  const props: SequenceProps = {
    ...given,
    save: (edit) => given.save(withType(edit)),
    preview: (edit) => given.preview(withType(edit)),
  }
  const { accounts, templates, profiles, fields, locked, reached } = props
  const editor = useEditor(props)
  const { sequence, dispatch, baseline, saving, kept, isDirty } = editor
  const { items, chosen, account_id, focus } = sequence
  const [pane, setPane] = useState<Pane>('steps')
  const [variant, setVariant] = useState<string | null>(null)
  const acting = useMemo(() => actingAccounts(accounts, account_id), [accounts, account_id])
  const steps = useMemo(() => items.map(({ step }) => step), [items])
  const unfit = locked
    ? []
    : misfits(type, steps).filter((index) => !given.steps.includes(steps[index] as StepConfig))
  const savedOf = (key: string) => baseline.items.find((item) => item.key === key)?.step
  const problems = items.map((item, index) => ({
    ...(locked || item.step.step <= reached ? {} : problemsOf(item, savedOf(item.key), acting)),
    ...saving.refusedOf(items, index),
  }))
  const wrong = problems.flatMap((found, index) => (Object.keys(found).length > 0 ? [index] : []))
  const at = Math.max(
    0,
    items.findIndex(({ key }) => key === chosen),
  )
  const open = items[at]
  const shown = open?.step.variants.find(({ label }) => label === variant) ?? open?.step.variants[0]

  useEffect(() => {
    if (!focus) return
    if (focus.place === 'pane') setPane('edit')
    const wanted = focus.place === 'pane' ? '[data-pane]' : `[data-card="${focus.key}"]`
    requestAnimationFrame(() => document.querySelector<HTMLElement>(wanted)?.focus())
  }, [focus])

  // Before it is needed: where the network is gone by then, what was written still stands.
  useEffect(() => {
    if (isDirty && props.isLive) loadDiff().catch(() => undefined)
  }, [isDirty, props.isLive])

  /** To the first field that is wrong, whichever step it belongs to. */
  function toWrong(index: number | undefined) {
    const item = index === undefined ? undefined : items[index]
    if (item) dispatch({ act: 'choose', key: item.key })
    setPane('edit')
    requestAnimationFrame(() =>
      requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-pane] [aria-invalid]')?.focus()),
    )
  }
  const save = () => (wrong.length > 0 ? toWrong(wrong[0]) : editor.ask(() => toWrong(undefined)))
  useSaveKey(locked === null && editor.confirming === null ? save : null)
  const side = (own: Pane) => (pane === own ? '' : 'max-lg:hidden')

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {!locked && (
        <SaveBar
          isDirty={isDirty}
          isSaving={saving.isSaving}
          problems={problems.reduce((sum, found) => sum + Object.keys(found).length, 0)}
          onDiscard={editor.discard}
          onSave={save}
        />
      )}
      <Notices
        locked={locked}
        pause={props.pause}
        reached={reached}
        message={saving.message}
        found={kept.found}
        isElsewhere={editor.isElsewhere}
        onTake={editor.takeKept}
        onForget={editor.discard}
      />
      {unfit.length > 0 && (
        <Callout
          tone="warning"
          role="status"
          action={<Button onClick={() => setMixed(true)}>Make it mixed</Button>}
        >
          This campaign takes {type === 'email' ? 'mails' : 'social steps'} only. With step{' '}
          {unfit.map((index) => index + 1).join(', ')} it has to be a mixed one.
        </Callout>
      )}
      <div className="lg:hidden">
        <SegmentedControl
          legend="Part of the editor"
          name="pane"
          value={pane}
          options={PANES}
          onChange={(value) => setPane(PANES.find((one) => one.value === value)?.value ?? 'steps')}
        />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[15rem_minmax(0,1fr)] xl:grid-cols-[15rem_minmax(0,1fr)_23rem]">
        <div
          className={`min-w-0 lg:sticky lg:top-16 lg:max-h-[calc(100dvh-5rem)] lg:overflow-y-auto lg:p-0.5 ${side('steps')}`}
        >
          <StepFlow
            sequence={sequence}
            dispatch={dispatch}
            onChoose={(key) => {
              dispatch({ act: 'choose', key })
              setPane('edit')
            }}
            templates={templates}
            wrong={new Set(wrong.flatMap((index) => items[index]?.key ?? []))}
            isLocked={locked !== null}
            reached={reached}
            obstacleOf={(kind) => accountObstacle(kind, acting)}
          />
        </div>
        <div className={`min-w-0 ${side('edit')}`}>
          {open ? (
            <StepPane
              key={open.key}
              step={open.step}
              saved={savedOf(open.key)}
              steps={steps}
              isFixed={locked !== null || open.step.step <= reached}
              isLocked={locked !== null}
              problems={problems[at] ?? {}}
              templates={templates}
              profiles={profiles}
              fields={fields}
              accounts={accounts}
              acting={acting}
              account_id={account_id}
              shownVariant={shown?.label ?? null}
              onChange={(step) => dispatch({ act: 'change', key: open.key, step })}
              onAccount={(id) => dispatch({ act: 'account', account_id: id })}
              onShowVariant={setVariant}
            />
          ) : (
            <p className="rounded-md border border-border border-dashed p-6 text-center text-sm text-muted">
              The sequence is empty. Add its first step.
            </p>
          )}
        </div>
        {open && (
          <div
            className={`min-w-0 lg:col-start-2 xl:sticky xl:top-16 xl:col-start-3 xl:max-h-[calc(100dvh-5rem)] xl:overflow-y-auto ${side('preview')}`}
          >
            <PreviewSide
              props={props}
              step={open.step}
              steps={steps}
              account_id={account_id}
              variant={shown?.label ?? null}
              isSaved={!isDirty}
            />
          </div>
        )}
      </div>
      {editor.confirming && (
        <LiveDiff
          before={baseline.items}
          after={items}
          templates={templates}
          profiles={profiles}
          preview={editor.confirming.preview}
          account={editor.accountLine}
          onConfirm={() => editor.confirm(() => toWrong(undefined))}
          onClose={editor.cancel}
        />
      )}
      {editor.clashes && (
        <SequenceConflict
          clashes={editor.clashes}
          mine={editor.mine}
          theirs={editor.server}
          templates={templates}
          profiles={profiles}
          called={editor.called}
          onDecide={editor.decide}
          onClose={saving.forget}
        />
      )}
      <LeaveGuard isDirty={isDirty} />
    </div>
  )
}
