'use client'

import dynamic from 'next/dynamic'
import { LeaveGuard } from '#components/drafts/leave-guard'
import { useCampaignType, useFindings } from './editor/findings.tsx'
import { History } from './editor/history.tsx'
import { Panes, PaneTabs, usePane } from './editor/panes.tsx'
import { Questions } from './editor/questions.tsx'
import { useView, ViewControl } from './editor/view.tsx'
import type { SequenceProps } from './editor-props.tsx'
import { Notices } from './notices.tsx'
import type { Problems } from './problems.tsx'
import { SaveBar } from './save-bar.tsx'
import type { Item } from './steps.tsx'
import { useEditor } from './use-editor.tsx'
import { useSaveKey } from './use-save-key.tsx'

// Rarely needed: the page's script budget is tight.
const Unfit = dynamic(() => import('./editor/unfit.tsx').then((module) => module.Unfit), {
  loading: () => null,
})

/** Steps, the selected one, and its preview: side by side if there is room, else behind three tabs. */
export function SequenceEditor(given: SequenceProps) {
  const { props, mix } = useCampaignType(given)
  const { locked } = props
  const editor = useEditor(props)
  const { sequence, dispatch, saving, isDirty } = editor
  const findings = useFindings(props, editor)
  const { problems, wrong } = findings
  const [pane, setPane] = usePane(sequence, props.view)
  const [view, setView] = useView(props.view)

  /** Moves to the first field with an error, in whichever step. */
  function toWrong(index: number | undefined) {
    const item = index === undefined ? undefined : sequence.items[index]
    if (item) dispatch({ act: 'choose', key: item.key, variant: wrongVariant(item, problems[index ?? 0]) })
    setPane('edit')
    requestAnimationFrame(() =>
      requestAnimationFrame(() => document.querySelector<HTMLElement>('[data-pane] [aria-invalid]')?.focus()),
    )
  }
  const save = () => (wrong.length > 0 ? toWrong(wrong[0]) : editor.ask(() => toWrong(undefined)))
  useSaveKey(locked === null && editor.confirming === null ? save : null)

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {!locked && (
        <SaveBar
          isDirty={isDirty}
          isSaving={saving.isSaving}
          problems={problems.reduce((sum, fields) => sum + Object.keys(fields).length, 0)}
          onDiscard={editor.discard}
          onSave={save}
        />
      )}
      <Notices
        locked={locked}
        pause={props.pause}
        reached={props.reached}
        message={saving.message}
        earlier={editor.kept.earlier}
        isElsewhere={editor.isElsewhere}
        onTake={editor.takeKept}
        onForget={editor.discard}
      />
      {findings.unfit.length > 0 && <Unfit type={props.type} steps={findings.unfit} onMix={mix} />}
      <div className="flex flex-wrap items-center gap-2">
        <PaneTabs {...{ pane, setPane }} />
        <ViewControl view={view} onChoose={setView} />
        {!locked && <History {...{ sequence, dispatch }} />}
      </div>
      <Panes {...{ pane, setPane, view, props, editor, findings }} />
      <Questions {...{ props, editor }} onRefused={() => toWrong(undefined)} />
      <LeaveGuard isDirty={isDirty} />
    </div>
  )
}

/** The variant whose tab has the first error; null if the open one has it. */
function wrongVariant({ step }: Item, problems: Problems = {}): string | null {
  const place = Object.keys(problems)
    .find((control) => control.startsWith('variants.'))
    ?.split('.')[1]
  return step.variants[Number(place)]?.label ?? null
}
