import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useDraft } from '#components/drafts/use-draft'
import type { EditPreview } from '#lib/contracts/campaigns/edit-preview'
import type { Line } from '#lib/domain/campaigns/campaign-changes'
import { findClashes, isAtStake } from '#lib/domain/campaigns/edit-conflict'
import { accountLabel } from './accounts.tsx'
import type { SequenceProps } from './editor-props.tsx'
import { fieldsOfSteps, mergedSteps, type Saved } from './step-fields.tsx'
import { type Item, newStep, serializeSteps } from './steps.tsx'
import { useSaving } from './use-saving.tsx'
import { toItems, useSequence } from './use-sequence.tsx'

/** What was saved last, under the names that its steps have in the editor. */
type Baseline = { items: Item[]; account_id: string | null }

const stepsOf = (items: Item[]) => items.map(({ step }) => step)
const wordsOf = ({ steps, account_id }: Saved) => `${serializeSteps(steps)}${account_id}`
const isSame = (one: Saved, other: Saved) => wordsOf(one) === wordsOf(other)
const baselineOf = ({ steps, account_id }: Saved): Baseline => ({ items: toItems(steps), account_id })

/** What is on the screen against what the server has: what differs, and the ways from one to the other. */
export function useEditor(props: SequenceProps) {
  const { campaign_id, connected_account_id, accounts, isLive, preview, version } = props
  const first = props.steps.length > 0 ? props.steps : [newStep('email', 0)]
  const [sequence, dispatch] = useSequence(first, connected_account_id)
  const server: Saved = { steps: first, account_id: connected_account_id }
  const [baseline, setBaseline] = useState<Baseline>(() => baselineOf(server))
  const [pinned, setPinned] = useState(version)
  const [isAgain, setAgain] = useState(false)
  const [confirming, setConfirming] = useState<{ preview: EditPreview | null } | null>(null)
  const { items, account_id } = sequence
  const mine = useMemo<Saved>(() => ({ steps: stepsOf(items), account_id }), [items, account_id])
  const base = useMemo<Saved>(
    () => ({ steps: stepsOf(baseline.items), account_id: baseline.account_id }),
    [baseline],
  )
  const isDirty = !isSame(mine, base)
  const saving = useSaving(props.save, props.undo, (saved, account) => {
    setBaseline({ items: saved, account_id: account })
    kept.settle()
  })
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
    setBaseline(baselineOf(server))
    setPinned(version)
    replace(server)
  }
  // The server's own may change under the page: by another tab, or by the assistant beside it.
  const refreshed = useEffectEvent(() => {
    if (isDirty || version === pinned) return
    if (isSame(server, mine)) setPinned(version)
    else follow()
  })
  const saved = wordsOf(server)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another saved sequence is news
  useEffect(() => refreshed(), [saved, version, isDirty])

  const isOtherAccount = account_id !== baseline.account_id

  function discard() {
    kept.forget()
    saving.forget()
    follow()
  }
  function confirm(onRefused: () => void) {
    setConfirming(null)
    saving.run(items, account_id, isOtherAccount, pinned, onRefused)
  }
  async function ask(onRefused: () => void) {
    if (!isLive || !isDirty) return confirm(onRefused)
    setConfirming({ preview: null })
    // Without the numbers the changes can still be judged.
    const edit = {
      steps_config: mine.steps,
      version: pinned,
      ...(isOtherAccount ? { connected_account_id: account_id } : {}),
    }
    const said = await preview(edit).catch(() => null)
    setConfirming((open) => open && { preview: said })
  }

  // Refused since somebody else saved: the page has by now what they did.
  const isParted = saving.isStale && version !== pinned
  // biome-ignore lint/correctness/useExhaustiveDependencies: the server's are made anew with each drawing; `saved` says when they are others
  const clashes = useMemo(
    () =>
      isParted
        ? findClashes(
            fieldsOfSteps(base, [mine, server]),
            fieldsOfSteps(mine, [base, server]),
            fieldsOfSteps(server, [base, mine]),
          )
        : null,
    [isParted, base, mine, saved],
  )
  /** Saves what was chosen, as made from what is there now. */
  function decide(taken: ReadonlySet<string>) {
    const next = mergedSteps(mine, server, taken)
    setBaseline(baselineOf(server))
    setPinned(version)
    if (!isSame(next, mine)) replace(next)
    saving.forget()
    setAgain(true)
  }
  const resumed = useEffectEvent(() => {
    setAgain(false)
    if (isDirty) void ask(() => undefined)
  })
  useEffect(() => {
    if (isAgain) resumed()
  }, [isAgain])
  const settled = useEffectEvent(() => decide(new Set()))
  useEffect(() => {
    // Other parts of the campaign were changed: nobody need choose.
    if (clashes && !isAtStake(clashes)) settled()
  }, [clashes])

  const called = (id: string | null) => {
    const account = accounts.find((one) => one.account_id === id)
    return account ? accountLabel(account) : 'All LinkedIn accounts'
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
    isElsewhere: isDirty && !isSame(server, base),
    saving,
    kept,
    confirming,
    accountLine,
    called,
    mine,
    server,
    clashes: clashes && isAtStake(clashes) ? clashes : null,
    decide,
    ask,
    confirm,
    cancel: () => setConfirming(null),
    discard,
    takeKept: () => {
      if (kept.found) {
        const { draft } = kept.found
        setBaseline(baselineOf(draft.base))
        setPinned(draft.version ?? version)
        replace(draft.mine)
      }
      kept.settle()
    },
  }
}
