import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useDraft } from '#components/drafts/use-draft'
import type { EditPreview } from '#lib/contracts/campaigns/edit-preview'
import type { Line } from '#lib/domain/campaigns/campaign-changes'
import { findClashes, isAtStake } from '#lib/domain/campaigns/edit-conflict'
import { accountLabel } from './accounts.tsx'
import type { SequenceProps } from './editor-props.tsx'
import { fieldsOfSteps, mergedSteps, type Saved } from './step-fields.tsx'
import { firstStep, type Item, serializeSteps } from './steps.tsx'
import { type SequenceEdit, useSaving } from './use-saving.tsx'
import { toItems, useSequence } from './use-sequence.tsx'

/** What was saved last, under the names that its steps have in the editor. */
type Baseline = { items: Item[]; account_id: string | null }

const toSteps = (items: Item[]) => items.map(({ step }) => step)
const serializeSaved = ({ steps, account_id }: Saved) => `${serializeSteps(steps)}${account_id}`
const isSame = (one: Saved, other: Saved) => serializeSaved(one) === serializeSaved(other)
const toBaseline = ({ steps, account_id }: Saved): Baseline => ({ items: toItems(steps), account_id })

/** Whether somebody is asked before the steps of a launched campaign are saved, and what an edit would do to its leads. */
function useAsking(isAsked: boolean, preview: SequenceProps['preview'], edit: () => SequenceEdit) {
  const [confirming, setConfirming] = useState<{ preview: EditPreview | null } | null>(null)
  async function ask(save: () => void) {
    if (!isAsked) return save()
    setConfirming({ preview: null })
    // Without the numbers the changes can still be judged.
    const said = await preview(edit()).catch(() => null)
    setConfirming((open) => open && { preview: said })
  }
  return { confirming, ask, close: () => setConfirming(null) }
}

type Edits = { base: Saved; mine: Saved; server: Saved }

/** Where two edits clash, once the page has what somebody else saved; what leaves no choice is decided at once. */
function useClashes(isParted: boolean, { base, mine, server }: Edits, decide: Decide, resume: () => void) {
  const [isAgain, setAgain] = useState(false)
  const saved = serializeSaved(server)
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
  const decideAndSave: Decide = (taken) => {
    decide(taken)
    setAgain(true)
  }
  const resumed = useEffectEvent(() => {
    setAgain(false)
    resume()
  })
  useEffect(() => {
    if (isAgain) resumed()
  }, [isAgain])
  const settled = useEffectEvent(() => decideAndSave(new Set()))
  useEffect(() => {
    // Other parts of the campaign were changed: nobody need choose.
    if (clashes && !isAtStake(clashes)) settled()
  }, [clashes])
  return { clashes: clashes && isAtStake(clashes) ? clashes : null, decide: decideAndSave }
}

type Decide = (taken: ReadonlySet<string>) => void

function accountNames(accounts: SequenceProps['accounts'], before: string | null, after: string | null) {
  const called = (id: string | null) => {
    const account = accounts.find((one) => one.account_id === id)
    return account ? accountLabel(account) : 'All LinkedIn accounts'
  }
  const accountLine: Line | null =
    after === before ? null : { what: 'Act from', before: called(before), after: called(after) }
  return { called, accountLine }
}

/** What was saved last, and from which version on the steps are written. */
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

/** What is on the screen and what it was made from, kept in this browser while they differ. */
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
  // The server's own may change under the page: by another tab, or by the assistant beside it.
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

/** What is on the screen against what the server has: what differs, and the ways from one to the other. */
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

  // Refused since somebody else saved: the page has by now what they did.
  const { clashes, decide } = useClashes(
    saving.isStale && version !== pinned,
    { base, mine, server },
    (taken) => {
      const next = mergedSteps(mine, server, taken)
      pin(server, version)
      if (!isSame(next, mine)) replace(next)
      saving.forget()
    },
    () => {
      if (isDirty) void ask(() => undefined)
    },
  )
  return {
    sequence,
    dispatch: written.dispatch,
    baseline,
    isDirty,
    isElsewhere: isDirty && !isSame(server, base),
    saving,
    kept,
    ...accountNames(accounts, baseline.account_id, account_id),
    mine,
    server,
    clashes,
    /** Saves what was chosen, as made from what is there now. */
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
