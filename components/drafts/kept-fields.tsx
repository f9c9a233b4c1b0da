'use client'

import dynamic from 'next/dynamic'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useFormAnswer } from '#components/ui/controls/action-form'
import { differing, type Fields, findClashes, isAtStake } from '#lib/domain/campaigns/edit-conflict'
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

// With a boundary of its own: the page around it, where it suspends, would be taken away and begin anew.
const ConflictDialog = dynamic(
  () => import('./conflict-dialog.tsx').then((module) => module.ConflictDialog),
  {
    loading: () => null,
  },
)

type Props = {
  /** What is written upon, such as "template:ID" or "template:new". */
  name: string
  /** As a sentence begins with it: "The template". */
  what: string
  /** Of what is edited, and what its controls say as saved; a form that makes something has neither. */
  version?: number
  values?: Values
}

const NOTHING: Fields = {}
const isSame = (one: Fields, other: Fields) => differing(one, other).length === 0
/** The server keeps no blanks around a text. */
const trimmed = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([field, texts]) => [field, texts.map((text) => text.trim())]),
  )
const isAlike = (one: Fields, other: Fields) => isSame(trimmed(one), trimmed(other))

/**
 * Inside an ActionForm: nothing that is written in the form around it is lost. It is kept in this browser until it is saved,
 * asked for before the page is left, and sent with the version that it was made from; where somebody else saved
 * meanwhile, it is chosen field by field what stays.
 */
export function KeptFields({ name, what, version, values }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const { result, isPending } = useFormAnswer()
  const written = JSON.stringify(values ?? {})
  const theirs = useMemo(() => flattenFields(JSON.parse(written) as Values), [written])
  const [base, setBase] = useState<Fields | null>(null)
  const [mine, setMine] = useState<Fields>(NOTHING)
  const [pinned, setPinned] = useState(version)
  const [isRefused, setRefused] = useState(false)
  const [isAgain, setAgain] = useState(false)
  const submitted = useRef<{ fields: Fields; path: string } | null>(null)
  const form = () => place.current?.closest('form') ?? null
  const isDirty = base !== null && !isSame(base, mine)
  const draft = useDraft({
    name,
    base: base ?? NOTHING,
    version: pinned ?? null,
    mine,
    isDirty,
    isOff: base === null,
    isSame: isAlike,
    isNew: version === undefined,
    restore: (fields) => fill(fields),
  })

  function fill(fields: Fields) {
    const around = form()
    if (around) writeFields(around, fields)
  }
  const look = useEffectEvent(() => {
    const around = form()
    if (!around) return
    const now = readFields(around)
    if (!isSame(now, mine)) setMine(now)
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: the form is read once, as it came
  useEffect(() => {
    const around = place.current?.closest('form')
    // Where nothing may be changed, nothing is kept.
    if (!around || around.querySelector('fieldset:disabled')) return
    const first = readFields(around)
    setBase({ ...first, ...theirs })
    setMine(first)
    // What a click adds or takes away comes without a word of its controls.
    const later = () => setTimeout(() => look(), 0)
    const observer = new MutationObserver(later)
    observer.observe(around, { subtree: true, childList: true, attributes: true, attributeFilter: ['value'] })
    for (const type of ['input', 'change', 'reset']) around.addEventListener(type, later)
    return () => {
      observer.disconnect()
      for (const type of ['input', 'change', 'reset']) around.removeEventListener(type, later)
    }
  }, [])

  /** What the server has by now, wherever the form still says what `was` there. */
  function follow(was: Fields) {
    const around = form()
    if (!around) return
    const now = readFields(around)
    const fresh = Object.entries(theirs).filter(([field]) =>
      differing(was, now).every((one) => one !== field),
    )
    fill(Object.fromEntries(fresh))
    setBase({ ...was, ...theirs })
    setPinned(version)
  }

  useEffect(() => {
    const around = place.current?.closest('form')
    if (isPending && around) submitted.current = { fields: readFields(around), path: location.pathname }
  }, [isPending])
  const answered = useEffectEvent(() => {
    const sent = submitted.current
    submitted.current = null
    if (!result) return
    setRefused(!result.ok && result.stale === true)
    if (!result.ok) return
    draft.forget()
    // A form that is empty again afterwards is as it was before.
    if (values && sent) setBase((was) => ({ ...was, ...sent.fields }))
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer once
  useEffect(() => answered(), [result])

  // The server's own may change under the page: by another tab, or by the assistant beside it.
  const refreshed = useEffectEvent(() => {
    if (base !== null && !isDirty && version !== pinned) follow(base)
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is saved is news
  useEffect(() => refreshed(), [version, theirs, isDirty])

  const clashes = useMemo(
    () => (base && isRefused && version !== pinned ? findClashes(base, mine, { ...mine, ...theirs }) : null),
    [base, isRefused, version, pinned, mine, theirs],
  )
  function decide(taken: ReadonlySet<string>) {
    fill(Object.fromEntries(Object.entries(theirs).filter(([field]) => taken.has(field))))
    setBase((was) => ({ ...was, ...theirs }))
    setPinned(version)
    setRefused(false)
    setAgain(true)
  }
  const settled = useEffectEvent(() => decide(new Set()))
  useEffect(() => {
    // Other fields than those of this form were changed: nobody need choose.
    if (clashes && !isAtStake(clashes)) settled()
  }, [clashes])
  useEffect(() => {
    if (!isAgain) return
    setAgain(false)
    place.current?.closest('form')?.requestSubmit()
  }, [isAgain])

  // What led on to another page was taken; who is asked to sign in first is not done.
  const key = draft.key
  useEffect(
    () => () => {
      const sent = submitted.current
      setTimeout(() => {
        const isElsewhere =
          sent && location.pathname !== sent.path && !location.pathname.startsWith('/sign-in')
        if (isElsewhere && key) dropDraft(key)
      }, 0)
    },
    [key],
  )

  const around = form()
  return (
    <div ref={place} className="contents">
      {pinned !== undefined && <input type="hidden" name="version" value={pinned} />}
      <DraftNotice
        what={what}
        found={draft.found}
        isElsewhere={
          isDirty && version !== pinned && differing({ ...base, ...theirs }, base ?? {}).length > 0
        }
        onTake={() => {
          if (!draft.found) return
          const { mine: kept, base: from, version: of } = draft.found.draft
          setBase((was) => ({ ...was, ...from }))
          setPinned(of ?? version)
          fill(kept)
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
          onDecide={decide}
          onClose={() => setRefused(false)}
        />
      )}
    </div>
  )
}
