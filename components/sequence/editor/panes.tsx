import dynamic from 'next/dynamic'
import { useEffect, useState } from 'react'
import { SegmentedControl } from '#components/ui/controls/segmented-control'
import { Skeleton } from '#components/ui/feedback/skeleton'
import { accountObstacle } from '../accounts.tsx'
import type { SequenceProps } from '../editor-props.tsx'
import type { Kind } from '../kinds.tsx'
import { StepFlow } from '../step-flow.tsx'
import type { Item } from '../steps.tsx'
import type { Editor, Findings } from './findings.tsx'
import { useClipboard } from './use-clipboard.tsx'
import { type SequenceView, useIsWide } from './view.tsx'

// Picture view and list view are loaded separately.
const Sides = dynamic(() => import('./sides.tsx').then((module) => module.Sides), {
  // As high as the content, to avoid a layout shift.
  loading: () => <Skeleton className="h-[50rem] max-lg:hidden" />,
})
const SequencePicture = dynamic(
  () => import('../picture/sequence-picture.tsx').then((module) => module.SequencePicture),
  { loading: () => <Skeleton className="h-96" /> },
)

type Pane = 'steps' | 'edit' | 'preview'

const PANES: { value: Pane; label: string }[] = [
  { value: 'steps', label: 'Steps' },
  { value: 'edit', label: 'Edit' },
  { value: 'preview', label: 'Preview' },
]

/**
 * Which pane is visible if there is room for only one; it follows the requested focus. A single empty first
 * step opens for writing.
 */
export function usePane({ focus, items }: Editor['sequence'], view: SequenceView) {
  const [pane, setPane] = useState<Pane>(() =>
    view === 'list' && items.length === 1 && isBlank(items[0]) ? 'edit' : 'steps',
  )
  useEffect(() => {
    if (!focus) return
    if (focus.place === 'pane') setPane('edit')
    const wanted = focus.place === 'pane' ? '[data-pane]' : `[data-card="${focus.key}"]`
    focusOnce(wanted)
  }, [focus])
  return [pane, setPane] as const
}

/** Checked by hand here, since the text rules load with the panes that show them. */
function isBlank(item: Item | undefined) {
  if (!item) return false
  const { variants, ...own } = item.step
  const isUnwritten = (text: { subject?: string | null; message_template?: string | null }) =>
    !text.subject && !text.message_template
  return isUnwritten(own) && variants.every((variant) => !variant.template_id && isUnwritten(variant))
}

/** The element may not exist yet, so this keeps looking for the next second. */
function focusOnce(wanted: string, tries = 60) {
  requestAnimationFrame(() => {
    const element = document.querySelector<HTMLElement>(wanted)
    if (element) element.focus()
    else if (tries > 0) focusOnce(wanted, tries - 1)
  })
}

type Choice = { pane: Pane; setPane: (pane: Pane) => void }

export function PaneTabs({ pane, setPane }: Choice) {
  return (
    <div className="lg:hidden">
      <SegmentedControl
        legend="Editor section"
        name="pane"
        value={pane}
        options={PANES}
        onChange={(value) => setPane(PANES.find((one) => one.value === value)?.value ?? 'steps')}
      />
    </div>
  )
}

/** Next to the list there is room for the preview. The picture uses all of it until a step is selected. */
const COLUMNS: Record<SequenceView | 'alone', { grid: string; preview: string }> = {
  list: {
    grid: 'lg:grid-cols-[15rem_minmax(0,1fr)] xl:grid-cols-[15rem_minmax(0,1fr)_23rem]',
    preview:
      'lg:col-start-2 xl:sticky xl:top-16 xl:col-start-3 xl:max-h-[calc(100dvh-5rem)] xl:overflow-y-auto',
  },
  picture: {
    grid: 'lg:grid-cols-[minmax(0,1fr)_24rem] xl:grid-cols-[minmax(0,1fr)_28rem]',
    preview: 'lg:col-start-2',
  },
  alone: { grid: '', preview: '' },
}

type Props = Choice & { view: SequenceView; props: SequenceProps; editor: Editor; findings: Findings }

/** The steps, the selected one, and its preview for a real lead. */
export function Panes({ pane, setPane, view, props, editor, findings }: Props) {
  const { items, chosen } = editor.sequence
  const at = Math.max(
    0,
    items.findIndex(({ key }) => key === chosen),
  )
  const open = items[at]
  const side = (own: Pane) => (pane === own ? '' : 'max-lg:hidden')
  const isPicture = useIsWide() && view === 'picture'
  const isAlone = isPicture && pane === 'steps'
  const columns = COLUMNS[isAlone ? 'alone' : isPicture ? 'picture' : 'list']
  return (
    <div className={`grid grid-cols-[minmax(0,1fr)] items-start gap-4 ${columns.grid}`}>
      <div
        className={`min-w-0 lg:sticky lg:top-16 lg:max-h-[calc(100dvh-5rem)] lg:overflow-y-auto lg:p-0.5 ${isPicture ? 'lg:row-span-2' : ''} ${side('steps')}`}
      >
        <StepsPane {...{ props, editor, findings, setPane, isPicture }} />
      </div>
      {!isAlone && (
        <Sides
          {...{ props, editor, findings, open, at }}
          edit={side('edit')}
          preview={`${columns.preview} ${side('preview')}`}
          onClose={isPicture ? () => setPane('steps') : null}
        />
      )}
    </div>
  )
}

type StepsProps = Pick<Props, 'props' | 'editor' | 'findings' | 'setPane'> & { isPicture: boolean }

function StepsPane({ props, editor: { sequence, dispatch }, findings, setPane, isPicture }: StepsProps) {
  const clipboard = useClipboard(props, dispatch)
  const shown = {
    sequence,
    dispatch,
    onChoose: (key: string) => {
      dispatch({ act: 'choose', key })
      setPane('edit')
    },
    templates: props.templates,
    wrong: new Set(findings.wrong.flatMap((index) => sequence.items[index]?.key ?? [])),
    isLocked: props.locked !== null,
    reached: props.reached,
    findObstacle: (kind: Kind) => accountObstacle(kind, findings.acting),
    ...clipboard,
  }
  if (!isPicture) return <StepFlow {...shown} />
  return (
    <SequencePicture
      {...shown}
      findSaved={findings.findSaved}
      loadNumbers={props.loadNumbers}
      leads={props.leads}
    />
  )
}
