import { useEffect, useEffectEvent } from 'react'
import { ConflictDialog } from '#components/drafts/conflict-dialog'
import { findClashes, isAtStake } from '#lib/domain/campaigns/edit-conflict'
import type { SequenceProps } from './editor-props.tsx'
import { labelOfField, shownOfField } from './step-field-words.tsx'
import { fieldsOfSteps, mergedSteps, type Saved } from './step-fields.tsx'

type Props = Pick<SequenceProps, 'templates' | 'profiles'> & {
  base: Saved
  mine: Saved
  theirs: Saved
  called: (accountId: string | null) => string
  onDecide: (next: Saved) => void
  onClose: () => void
}

/** Resolves two conflicting edits of a sequence; without a real conflict it resolves them at once. */
export function SequenceConflict(props: Props) {
  const { base, mine, theirs, templates, profiles, called, onDecide, onClose } = props
  const clashes = findClashes(
    fieldsOfSteps(base, [mine, theirs]),
    fieldsOfSteps(mine, [base, theirs]),
    fieldsOfSteps(theirs, [base, mine]),
  )
  const isAsked = isAtStake(clashes)
  const decide = (taken: ReadonlySet<string>) => onDecide(mergedSteps(mine, theirs, taken))
  const settled = useEffectEvent(() => decide(new Set()))
  useEffect(() => {
    // Only other parts of the campaign were changed, so nobody has to choose.
    if (!isAsked) settled()
  }, [isAsked])
  if (!isAsked) return null
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
      onDecide={decide}
      onClose={onClose}
    />
  )
}
