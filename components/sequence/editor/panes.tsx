import { useEffect, useState } from 'react'
import { SegmentedControl } from '#components/ui/controls/segmented-control'
import { PreviewSide } from '../../step-previews/preview-side.tsx'
import { accountObstacle } from '../accounts.tsx'
import type { SequenceProps } from '../editor-props.tsx'
import { StepFlow } from '../step-flow.tsx'
import { StepPane } from '../step-pane.tsx'
import type { Item } from '../steps.tsx'
import type { Editor, Findings } from './findings.tsx'

type Pane = 'steps' | 'edit' | 'preview'

const PANES: { value: Pane; label: string }[] = [
  { value: 'steps', label: 'Steps' },
  { value: 'edit', label: 'Edit' },
  { value: 'preview', label: 'Preview' },
]

/** The pane on top where there is room for one only; it follows what the focus is asked for. */
export function usePane(focus: Editor['sequence']['focus']) {
  const [pane, setPane] = useState<Pane>('steps')
  useEffect(() => {
    if (!focus) return
    if (focus.place === 'pane') setPane('edit')
    const wanted = focus.place === 'pane' ? '[data-pane]' : `[data-card="${focus.key}"]`
    requestAnimationFrame(() => document.querySelector<HTMLElement>(wanted)?.focus())
  }, [focus])
  return [pane, setPane] as const
}

type Choice = { pane: Pane; setPane: (pane: Pane) => void }

export function PaneTabs({ pane, setPane }: Choice) {
  return (
    <div className="lg:hidden">
      <SegmentedControl
        legend="Part of the editor"
        name="pane"
        value={pane}
        options={PANES}
        onChange={(value) => setPane(PANES.find((one) => one.value === value)?.value ?? 'steps')}
      />
    </div>
  )
}

type Props = Choice & { props: SequenceProps; editor: Editor; findings: Findings }

/** Steps, the chosen one, and what a real lead gets of it. */
export function Panes({ pane, setPane, props, editor, findings }: Props) {
  const { sequence, isDirty } = editor
  const { items, chosen, account_id } = sequence
  const [variant, setVariant] = useState<string | null>(null)
  const at = Math.max(
    0,
    items.findIndex(({ key }) => key === chosen),
  )
  const open = items[at]
  const shown = open?.step.variants.find(({ label }) => label === variant) ?? open?.step.variants[0]
  const side = (own: Pane) => (pane === own ? '' : 'max-lg:hidden')
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[15rem_minmax(0,1fr)] xl:grid-cols-[15rem_minmax(0,1fr)_23rem]">
      <div
        className={`min-w-0 lg:sticky lg:top-16 lg:max-h-[calc(100dvh-5rem)] lg:overflow-y-auto lg:p-0.5 ${side('steps')}`}
      >
        <StepsPane {...{ props, editor, findings, setPane }} />
      </div>
      <div className={`min-w-0 ${side('edit')}`}>
        {open ? (
          <EditPane
            {...{ props, editor, findings, open, at }}
            shownVariant={shown?.label ?? null}
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
            steps={findings.steps}
            account_id={account_id}
            variant={shown?.label ?? null}
            isSaved={!isDirty}
          />
        </div>
      )}
    </div>
  )
}

type StepsProps = Pick<Props, 'props' | 'editor' | 'findings' | 'setPane'>

function StepsPane({ props, editor: { sequence, dispatch }, findings, setPane }: StepsProps) {
  return (
    <StepFlow
      sequence={sequence}
      dispatch={dispatch}
      onChoose={(key) => {
        dispatch({ act: 'choose', key })
        setPane('edit')
      }}
      templates={props.templates}
      wrong={new Set(findings.wrong.flatMap((index) => sequence.items[index]?.key ?? []))}
      isLocked={props.locked !== null}
      reached={props.reached}
      findObstacle={(kind) => accountObstacle(kind, findings.acting)}
    />
  )
}

type EditProps = Pick<Props, 'props' | 'editor' | 'findings'> & {
  open: Item
  at: number
  shownVariant: string | null
  onShowVariant: (label: string | null) => void
}

function EditPane({ props, editor, findings, open, at, shownVariant, onShowVariant }: EditProps) {
  const { templates, profiles, fields, accounts, locked, reached } = props
  const { sequence, dispatch } = editor
  return (
    <StepPane
      key={open.key}
      step={open.step}
      saved={findings.findSaved(open.key)}
      steps={findings.steps}
      isFixed={locked !== null || open.step.step <= reached}
      isLocked={locked !== null}
      problems={findings.problems[at] ?? {}}
      templates={templates}
      profiles={profiles}
      fields={fields}
      accounts={accounts}
      acting={findings.acting}
      account_id={sequence.account_id}
      shownVariant={shownVariant}
      onChange={(step) => dispatch({ act: 'change', key: open.key, step })}
      onAccount={(id) => dispatch({ act: 'account', account_id: id })}
      onShowVariant={onShowVariant}
    />
  )
}
