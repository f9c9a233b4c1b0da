import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useDraft } from '#components/drafts/use-draft'
import type { EditPreview } from '#lib/contracts/campaigns/edit-preview'
import type { Line } from '#lib/domain/campaigns/campaign-changes'
import { accountLabel } from './accounts.tsx'
import type { SequenceProps } from './editor-props.tsx'
import type { Saved } from './step-fields.tsx'
import { firstStep, type Item, serializeSteps } from './steps.tsx'
import { type SequenceEdit, useSaving } from './use-saving.tsx'
import { toItems, useSequence } from './use-sequence.tsx'

/** The last saved state, with the editor's keys for its steps. */
type Baseline = { items: Item[]; account_id: string | null }

const toSteps = (items: Item[]) => items.map(({ step }) => step)
const serializeSaved = ({ steps, account_id }: Saved) => `${serializeSteps(steps)}${account_id}`
const isSame = (one: Saved, other: Saved) => serializeSaved(one) === serializeSaved(other)
const toBaseline = ({ steps, account_id }: Saved): Baseline => ({ items: toItems(steps), account_id })

/**
 * Whether to confirm before the steps of a launched campaign are saved, and the effect of the edit on its
 * leads.
 */
function useAsking(isAsked: boolean, preview: SequenceProps['preview'], edit: () => SequenceEdit) {
  const [confirming, setConfirming] = useState<{ preview: EditPreview | null } | null>(null)
  async function ask(save: () => void) {
    if (!isAsked) return save()
    setConfirming({ preview: null })
    // Without the preview the changes can still be confirmed.
    const said = await preview(edit()).catch(() => null)
    setConfirming((open) => open && { preview: said })
  }
  return { confirming, ask, close: () => setConfirming(null) }
}

/** Repeats a save refused because of a conflict, once that is resolved and the steps are rendered again. */
function useResuming(resume: () => void) {
  const [isAgain, setAgain] = useState(false)
  const resumed = useEffectEvent(() => {
    setAgain(false)
    resume()
  })
  useEffect(() => {
    if (isAgain) resumed()
  }, [isAgain])
  return () => setAgain(true)
}

function accountNames(accounts: SequenceProps['accounts'], before: string | null, after: string | null) {
  const called = (id: string | null) => {
    const account = accounts.find((one) => one.account_id === id)
    return account ? accountLabel(account) : 'All LinkedIn accounts'
  }
  const accountLine: Line | null =
    after === before ? null : { what: 'Account', before: called(before), after: called(after) }
  return { called, accountLine }
}

/** The last saved state, and the version the edits are based on. */
function useBase(server: Saved, version: number) {
  const [baseline, setBaseline] = useState<Baseline>(() => toBaseline(server))
  const [pinned, setPinned] = useState(version)
  const base = useMemo<Saved>(
    () => ({ steps: toSteps(baseline.items), account_id: baseline.account_id }),
    [baseline],
  )
  const pin = (saved: Saved, of: number) => {
    setBaseline(toBaseline(saved))
    setPinned(of)
  }
  return { baseline, setBaseline, base, pinned, setPinned, pin }
}

/** The edited state and its base, kept in this browser while they differ. */
function useWritten(props: SequenceProps) {
  const { campaign_id, connected_account_id, version } = props
  const first = props.steps.length > 0 ? props.steps : [firstStep(props.type)]
  const [sequence, dispatch] = useSequence(first, connected_account_id)
  const server: Saved = { steps: first, account_id: connected_account_id }
  const { baseline, setBaseline, base, pinned, setPinned, pin } = useBase(server, version)
  const { items, account_id } = sequence
  const mine = useMemo<Saved>(() => ({ steps: toSteps(items), account_id }), [items, account_id])
  const isDirty = !isSame(mine, base)
  const replace = ({ steps, account_id: account }: Saved) =>
    dispatch({ act: 'replace', steps, account_id: account })
  const kept = useDraft<Saved>({
    name: `sequence:${campaign_id}`,
    base,
    version: pinned,
    mine,
    isDirty,
    isOff: props.locked !== null,
    isSame,
    restore: replace,
  })
  const follow = () => {
    pin(server, version)
    replace(server)
  }
  const takeKept = () => {
    if (kept.earlier) {
      const { draft } = kept.earlier
      pin(draft.base, draft.version ?? version)
      replace(draft.mine)
    }
    kept.settle()
  }
  // The saved steps may change under the page, by another tab or by the assistant.
  const refreshed = useEffectEvent(() => {
    if (isDirty || version === pinned) return
    if (isSame(server, mine)) setPinned(version)
    else follow()
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another saved sequence is news
  useEffect(() => refreshed(), [serializeSaved(server), version, isDirty])
  return {
    sequence,
    dispatch,
    server,
    baseline,
    setBaseline,
    base,
    pinned,
    pin,
    mine,
    isDirty,
    replace,
    kept,
    follow,
    takeKept,
  }
}

/** Compares the edited with the saved state and offers to save, discard or merge. */
export function useEditor(props: SequenceProps) {
  const { accounts, isLive, version } = props
  const written = useWritten(props)
  const { sequence, server, baseline, base, pinned, pin, mine, isDirty, replace, kept } = written
  const { items, account_id } = sequence
  const isOtherAccount = account_id !== baseline.account_id
  const saving = useSaving(props.save, props.undo, (saved, account) => {
    written.setBaseline({ items: saved, account_id: account })
    kept.settle()
  })
  const asking = useAsking(isLive && isDirty, props.preview, () => ({
    steps_config: mine.steps,
    version: pinned,
    ...(isOtherAccount ? { connected_account_id: account_id } : {}),
  }))
  const confirm = (onRefused: () => void) => {
    asking.close()
    saving.run(items, account_id, isOtherAccount, pinned, onRefused)
  }
  const ask = (onRefused: () => void) => asking.ask(() => confirm(onRefused))

  const resume = useResuming(() => {
    if (isDirty) void ask(() => undefined)
  })
  const decide = (next: Saved) => {
    pin(server, version)
    if (!isSame(next, mine)) replace(next)
    saving.forget()
    resume()
  }
  return {
    sequence,
    dispatch: written.dispatch,
    baseline,
    isDirty,
    isElsewhere: isDirty && !isSame(server, base),
    saving,
    kept,
    ...accountNames(accounts, baseline.account_id, account_id),
    base,
    mine,
    server,
    /** The save was refused because somebody else saved, and the page now has their version. */
    isParted: saving.isStale && version !== pinned,
    /** Saves the resolved state, based on the current version. */
    decide,
    confirming: asking.confirming,
    ask,
    confirm,
    cancel: asking.close,
    discard: () => {
      kept.forget()
      saving.forget()
      written.follow()
    },
    takeKept: written.takeKept,
  }
}
