import dynamic from 'next/dynamic'
import { useEffect } from 'react'
import type { SequenceProps } from '../editor-props.tsx'
import type { Editor } from './findings.tsx'

const loadDiff = () => import('../../step-previews/live-diff.tsx').then((module) => module.LiveDiff)
const LiveDiff = dynamic(loadDiff, { loading: () => null })
const SequenceConflict = dynamic(
  () => import('../sequence-conflict.tsx').then((module) => module.SequenceConflict),
  { loading: () => null },
)

type Props = { props: SequenceProps; editor: Editor; onRefused: () => void }

/** Questions before saving: confirming changes to a launched campaign, and resolving conflicting edits. */
export function Questions({ props, editor, onRefused }: Props) {
  const { templates, profiles, isLive } = props
  const { isDirty } = editor
  // Preloaded, so that it is available even without a network.
  useEffect(() => {
    if (isDirty && isLive) loadDiff().catch(() => undefined)
  }, [isDirty, isLive])
  return (
    <>
      {editor.confirming && (
        <LiveDiff
          before={editor.baseline.items}
          after={editor.sequence.items}
          templates={templates}
          profiles={profiles}
          preview={editor.confirming.preview}
          account={editor.accountLine}
          onConfirm={() => editor.confirm(onRefused)}
          onClose={editor.cancel}
        />
      )}
      {editor.isParted && (
        <SequenceConflict
          base={editor.base}
          mine={editor.mine}
          theirs={editor.server}
          templates={templates}
          profiles={profiles}
          called={editor.called}
          onDecide={editor.decide}
          onClose={editor.saving.forget}
        />
      )}
    </>
  )
}
