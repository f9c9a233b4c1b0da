'use client'

import dynamic from 'next/dynamic'
import { type RefObject, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { type FormResult, useFormAnswer } from '#components/ui/controls/action-form'
import {
  type Clash,
  differing,
  type Fields,
  findClashes,
  isAtStake,
} from '#lib/domain/campaigns/edit-conflict'
import { DraftNotice } from './draft-notice.tsx'
import {
  displayValue,
  fieldLabel,
  flattenFields,
  readFields,
  type Values,
  writeFields,
} from './form-fields.tsx'
import { LeaveGuard } from './leave-guard.tsx'
import { dropDraft } from './store.tsx'
import { useDraft } from './use-draft.tsx'

// Has a Suspense boundary of its own: otherwise the page around it would be hidden and mounted anew while this loads.
const ConflictDialog = dynamic(
  () => import('./conflict-dialog.tsx').then((module) => module.ConflictDialog),
  {
    loading: () => null,
  },
)

type Props = {
  /** Identifies what is edited, such as "template:ID" or "template:new". */
  name: string
  /** The subject as at the start of a sentence: "The template". */
  what: string
  /** The saved version and values; absent in a form that creates something. */
  version?: number
  values?: Values
}

type Place = RefObject<HTMLDivElement | null>

const NOTHING: Fields = {}
const isSame = (one: Fields, other: Fields) => differing(one, other).length === 0
/** The server trims texts. */
const trimmed = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([field, texts]) => [field, texts.map((text) => text.trim())]),
  )
const isAlike = (one: Fields, other: Fields) => isSame(trimmed(one), trimmed(other))

const formAround = (place: Place) => place.current?.closest('form') ?? null

/** The form's initial and current values; a read-only form has no initial values. */
function useWritten(place: Place, theirs: Fields) {
  const [base, setBase] = useState<Fields | null>(null)
  const [mine, setMine] = useState<Fields>(NOTHING)
  const readForm = useEffectEvent(() => {
    const around = formAround(place)
    if (!around) return
    const now = readFields(around)
    if (!isSame(now, mine)) setMine(now)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form is read once, as it came
  useEffect(() => {
    const around = formAround(place)
    // A read-only form keeps nothing.
    if (!around || around.querySelector('fieldset:disabled')) return
    const first = readFields(around)
    setBase({ ...first, ...theirs })
    setMine(first)
    // Clicks may add or remove controls without an input event.
    const later = () => setTimeout(() => readForm(), 0)
    const observer = new MutationObserver(later)
    observer.observe(around, { subtree: true, childList: true, attributes: true, attributeFilter: ['value'] })
    for (const type of ['input', 'change', 'reset']) around.addEventListener(type, later)
    // Typing is recorded at once: Esc may close the form before any delayed handler runs.
    const typed = () => readForm()
    around.addEventListener('input', typed)
    return () => {
      observer.disconnect()
      around.removeEventListener('input', typed)
      for (const type of ['input', 'change', 'reset']) around.removeEventListener(type, later)
    }
  }, [])
  return { base, setBase, mine }
}

/**
 * Follows what was submitted. If the submission led to another page it was accepted, and its draft is
 * deleted.
 */
function useSent(
  place: Place,
  draftKey: string | null,
  onAnswer: (result: FormResult, sent: Fields | undefined) => void,
) {
  const { result, isPending } = useFormAnswer()
  const asked = useRef<Fields | null>(null)
  const submitted = useRef<{ fields: Fields; path: string } | null>(null)
  // Stores what is submitted: text typed while its preview loads is not part of it.
  useEffect(() => {
    const around = formAround(place)
    const read = () => {
      asked.current = around && readFields(around)
    }
    around?.addEventListener('submit', read)
    return () => around?.removeEventListener('submit', read)
  }, [place])
  useEffect(() => {
    if (isPending && asked.current) submitted.current = { fields: asked.current, path: location.pathname }
  }, [isPending])
  const answered = useEffectEvent(() => {
    const sent = submitted.current
    submitted.current = null
    if (result) onAnswer(result, sent?.fields)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer once
  useEffect(() => answered(), [result])
  // Being asked to sign in first is not a result.
  useEffect(
    () => () => {
      const sent = submitted.current
      setTimeout(() => {
        const isElsewhere =
          sent && location.pathname !== sent.path && !location.pathname.startsWith('/sign-in')
        if (isElsewhere && draftKey) dropDraft(draftKey)
      }, 0)
    },
    [draftKey],
  )
}

/**
 * Handles conflicting edits: asks if fields clash, otherwise resolves them at once; then the form is
 * submitted again.
 */
function useClashes(place: Place, clashes: Clash[] | null, decide: (taken: ReadonlySet<string>) => void) {
  const [isAgain, setAgain] = useState(false)
  const decideAndSend = (taken: ReadonlySet<string>) => {
    decide(taken)
    setAgain(true)
  }
  const settled = useEffectEvent(() => decideAndSend(new Set()))
  useEffect(() => {
    // Only fields outside this form were changed, so nobody has to choose.
    if (clashes && !isAtStake(clashes)) settled()
  }, [clashes])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => {
    if (!isAgain) return
    setAgain(false)
    formAround(place)?.requestSubmit()
  }, [isAgain])
  return decideAndSend
}

/** Compares the form with the saved values and offers to restore or merge. */
function useKept(place: Place, { name, version, values }: Props) {
  const written = JSON.stringify(values ?? {})
  // biome-ignore lint/correctness/useExhaustiveDependencies: made anew as it says something else, not with each render
  const theirs = useMemo(() => flattenFields(values ?? {}), [written])
  const { base, setBase, mine } = useWritten(place, theirs)
  const [pinned, setPinned] = useState(version)
  const [isRefused, setRefused] = useState(false)
  const isDirty = base !== null && !isSame(base, mine)
  const fill = (fields: Fields) => {
    const around = formAround(place)
    if (around) writeFields(around, fields)
  }
  const draft = useDraft({
    name,
    base: base ?? NOTHING,
    version: pinned ?? null,
    mine,
    isDirty,
    isOff: base === null,
    isSame: isAlike,
    isNew: version === undefined,
    restore: fill,
  })
  useSent(place, draft.key, (result, sent) => {
    setRefused(!result.ok && result.stale === true)
    if (!result.ok) return
    draft.forget(sent)
    // A form that is reset after submitting counts as unchanged.
    if (values && sent) setBase((was) => ({ ...was, ...sent }))
  })

  // The saved values may change under the page, by another tab or by the assistant.
  const refreshed = useEffectEvent(() => {
    const around = formAround(place)
    if (base === null || isDirty || version === pinned || !around) return
    // Fields that the user did not change take the new saved values.
    const changed = differing(base, readFields(around))
    fill(Object.fromEntries(Object.entries(theirs).filter(([field]) => !changed.includes(field))))
    setBase({ ...base, ...theirs })
    setPinned(version)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is saved is news
  useEffect(() => refreshed(), [version, theirs, isDirty])

  const clashes = useMemo(
    () => (base && isRefused && version !== pinned ? findClashes(base, mine, { ...mine, ...theirs }) : null),
    [base, isRefused, version, pinned, mine, theirs],
  )
  const decide = useClashes(place, clashes, (taken) => {
    fill(Object.fromEntries(Object.entries(theirs).filter(([field]) => taken.has(field))))
    setBase((was) => ({ ...was, ...theirs }))
    setPinned(version)
    setRefused(false)
  })
  return { theirs, base, setBase, mine, pinned, setPinned, setRefused, isDirty, fill, draft, clashes, decide }
}

/**
 * Inside an ActionForm: protects what is typed from being lost. It is kept in this browser until saved,
 * guarded by a question before the page is left, and sent with the version it is based on. If somebody else
 * saved meanwhile, the user chooses per field.
 */
export function KeptFields(props: Props) {
  const { what, version } = props
  const place = useRef<HTMLDivElement>(null)
  const kept = useKept(place, props)
  const { theirs, base, setBase, mine, pinned, setPinned, isDirty, fill, draft, clashes } = kept
  const around = formAround(place)
  return (
    <div ref={place} data-unsaved={isDirty || undefined} className="contents">
      {pinned !== undefined && <input type="hidden" name="version" value={pinned} />}
      <DraftNotice
        what={what}
        earlier={draft.earlier}
        isElsewhere={
          isDirty && version !== pinned && differing({ ...base, ...theirs }, base ?? {}).length > 0
        }
        onTake={() => {
          if (!draft.earlier) return
          const { mine: typed, base: from, version: of } = draft.earlier.draft
          setBase((was) => ({ ...was, ...from }))
          setPinned(of ?? version)
          fill(typed)
          draft.settle()
        }}
        onForget={() => {
          if (base) fill({ ...base, ...theirs })
          draft.forget()
        }}
      />
      <LeaveGuard isDirty={isDirty} />
      {around && clashes && isAtStake(clashes) && (
        <ConflictDialog
          clashes={clashes.map((clash) => ({
            ...clash,
            label: fieldLabel(around, clash.field),
            mine: displayValue(around, clash.field, mine[clash.field] ?? []),
            theirs: displayValue(around, clash.field, theirs[clash.field] ?? []),
          }))}
          onDecide={kept.decide}
          onClose={() => kept.setRefused(false)}
        />
      )}
    </div>
  )
}
