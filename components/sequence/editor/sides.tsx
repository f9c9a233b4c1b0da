import { OfferedTemplates } from '../../messages/offered/source.tsx'
import { ImageUploads } from '../../messages/rich/uploads.tsx'
import { PreviewSide } from '../../step-previews/preview-side.tsx'
import type { SequenceProps } from '../editor-props.tsx'
import { StepPane } from '../pane/step-pane.tsx'
import type { Item } from '../steps.tsx'
import { shownVariant } from '../variants/words.tsx'
import type { Editor, Findings } from './findings.tsx'

type Props = {
  props: SequenceProps
  editor: Editor
  findings: Findings
  /** Absent if the sequence is empty. */
  open: Item | undefined
  at: number
  /** CSS classes of the two panes. */
  edit: string
  preview: string
  /** Set if closing leads back to another pane. */
  onClose: (() => void) | null
}

/** The selected step and its preview for a real lead. */
export function Sides(sides: Props) {
  const { props, editor, findings, open, edit, preview } = sides
  const { account_id, variant } = editor.sequence
  const label = (open && shownVariant(open.step, variant)?.label) ?? null
  return (
    <>
      <div className={`min-w-0 ${edit}`}>
        {open ? (
          <EditPane {...sides} open={open} label={label} />
        ) : (
          <p className="rounded-md border border-border border-dashed p-6 text-center text-sm text-muted">
            The sequence is empty. Add a first step.
          </p>
        )}
      </div>
      {open && (
        <div className={`min-w-0 ${preview}`}>
          <PreviewSide
            props={props}
            step={open.step}
            steps={findings.steps}
            account_id={account_id}
            variant={label}
            isSaved={!editor.isDirty}
          />
        </div>
      )}
    </>
  )
}

type EditProps = Props & { open: Item; label: string | null }

function EditPane({ props, editor, findings, open, at, label, onClose }: EditProps) {
  const { templates, profiles, fields, accounts, locked, reached } = props
  const { sequence, dispatch } = editor
  return (
    <ImageUploads upload={props.uploadImage}>
      <OfferedTemplates value={props.offered}>
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
          shownVariant={label}
          onChange={(step) => dispatch({ act: 'change', key: open.key, step })}
          onAccount={(id) => dispatch({ act: 'account', account_id: id })}
          onShowVariant={(variant) => dispatch({ act: 'show', variant })}
          keepTemplate={props.keepTemplate}
          onClose={onClose}
        />
      </OfferedTemplates>
    </ImageUploads>
  )
}
