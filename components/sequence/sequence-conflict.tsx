import { ConflictDialog } from '#components/drafts/conflict-dialog'
import type { Clash } from '#lib/domain/campaigns/edit-conflict'
import type { SequenceProps } from './editor-props.tsx'
import { labelOfField, type Saved, shownOfField } from './step-fields.tsx'

type Props = Pick<SequenceProps, 'templates' | 'profiles'> & {
  clashes: Clash[]
  mine: Saved
  theirs: Saved
  called: (accountId: string | null) => string
  onDecide: (taken: ReadonlySet<string>) => void
  onClose: () => void
}

/** Two edits of one sequence, in the words of the editor. */
export function SequenceConflict({ clashes, mine, theirs, templates, profiles, called, ...acts }: Props) {
  const names = {
    templates,
    profiles: profiles.flatMap(({ id, profile_name }) => (id ? [{ id, name: profile_name }] : [])),
  }
  const shown = (field: string, saved: Saved) => shownOfField(field, saved, names, called)
  return (
    <ConflictDialog
      clashes={clashes.map((clash) => ({
        ...clash,
        label: labelOfField(clash.field),
        mine: shown(clash.field, mine),
        theirs: shown(clash.field, theirs),
      }))}
      {...acts}
    />
  )
}
