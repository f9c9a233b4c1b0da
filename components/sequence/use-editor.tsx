import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import type { EditPreview } from '#lib/contracts/edit-preview'
import type { Line } from '#lib/domain/campaign-changes'
import { nameOf } from './accounts.tsx'
import type { SequenceProps } from './editor-props.tsx'
import { type Item, newStep, textOf } from './steps.tsx'
import { useKept } from './use-kept.tsx'
import { useSaving } from './use-saving.tsx'
import { itemsOf, useSequence } from './use-sequence.tsx'

type Saved = { items: Item[]; account_id: string | null }

const stepsOf = (items: Item[]) => items.map(({ step }) => step)
const wordsOf = ({ items, account_id }: Saved) => `${textOf(stepsOf(items))}${account_id}`

/** What is on the screen against what the server has: what differs, and the ways from one to the other. */
export function useEditor(props: SequenceProps) {
  const { campaign_id, connected_account_id, accounts, isLive, preview } = props
  const first = props.steps.length > 0 ? props.steps : [newStep('email', 0)]
  const [sequence, dispatch] = useSequence(first, connected_account_id)
  const [baseline, setBaseline] = useState<Saved>(() => ({
    items: itemsOf(first),
    account_id: connected_account_id,
  }))
  const [confirming, setConfirming] = useState<{ preview: EditPreview | null } | null>(null)
  const { items, account_id } = sequence
  const isDirty = useMemo(
    () => wordsOf({ items, account_id }) !== wordsOf(baseline),
    [items, account_id, baseline],
  )
  const steps = useMemo(() => stepsOf(items), [items])
  const saving = useSaving(props.save, props.undo, (saved, account) => {
    setBaseline({ items: saved, account_id: account })
    kept.settle()
  })
  const replace = (next: SequenceProps['steps'], account: string | null) =>
    dispatch({ act: 'replace', steps: next, account_id: account })
  const base = wordsOf({ items: itemsOf(first), account_id: connected_account_id })
  const kept = useKept({
    campaign_id,
    base,
    isDirty,
    isLocked: props.locked !== null,
    steps,
    account_id,
    restore: replace,
  })

  // The server's own may change under the page: by another tab, or by the assistant beside it.
  const refreshed = useEffectEvent(() => {
    if (isDirty || base === wordsOf({ items, account_id })) return
    setBaseline({ items: itemsOf(first), account_id: connected_account_id })
    replace(first, connected_account_id)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another saved sequence is news
  useEffect(() => refreshed(), [base])

  const isOtherAccount = account_id !== baseline.account_id

  function discard() {
    kept.forget()
    saving.forget()
    setBaseline({ items: itemsOf(first), account_id: connected_account_id })
    replace(first, connected_account_id)
  }
  function confirm(onRefused: () => void) {
    setConfirming(null)
    saving.run(items, account_id, isOtherAccount, onRefused)
  }
  async function ask(onRefused: () => void) {
    if (!isLive || !isDirty) return confirm(onRefused)
    setConfirming({ preview: null })
    // Without the numbers the changes can still be judged.
    const edit = { steps_config: steps, ...(isOtherAccount ? { connected_account_id: account_id } : {}) }
    const said = await preview(edit).catch(() => null)
    setConfirming((open) => open && { preview: said })
  }
  const called = (id: string | null) => {
    const account = accounts.find((one) => one.account_id === id)
    return account ? nameOf(account) : 'All LinkedIn accounts'
  }
  const accountLine: Line | null =
    account_id === baseline.account_id
      ? null
      : { what: 'Act from', before: called(baseline.account_id), after: called(account_id) }
  return {
    sequence,
    dispatch,
    baseline,
    isDirty,
    isElsewhere: isDirty && base !== wordsOf(baseline),
    saving,
    kept,
    confirming,
    accountLine,
    ask,
    confirm,
    cancel: () => setConfirming(null),
    discard,
    takeKept: () => {
      if (kept.found) replace(kept.found.draft.steps, kept.found.draft.account_id)
      kept.settle()
    },
  }
}
