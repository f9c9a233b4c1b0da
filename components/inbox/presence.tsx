'use client'

import { useRouter } from 'next/navigation'
import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Avatar } from '#components/ui/avatar'
import { Badge } from '#components/ui/feedback/badge'
import { watching } from '#components/ui/feedback/live-refresh'
import type { InboxPresence } from '#lib/contracts/inbox/inbox-presence'
import { PRESENT_MS, type PresenceState, presenceText, SAID_MS } from '#lib/domain/inbox/presence'

const People = createContext<readonly InboxPresence[]>([])
type Told = { version: string; people: InboxPresence[] }

const LIST_SECONDS = 5
const THREAD_SECONDS = 3
const MAX_AVATARS = 3

const hearOthers = () => fetch('/live/inbox?people', { cache: 'no-store' }).catch(() => null)

export type ReportPresence = (thread_id: string, state: PresenceState) => Promise<void>

/** Says what one does with a conversation: once it changes, and again before it is forgotten. */
function useReport(report: ReportPresence) {
  const last = useRef<{ thread_id: string; state: PresenceState; at: number } | null>(null)
  return (thread_id: string, state: PresenceState) => {
    const isSame = last.current?.thread_id === thread_id && last.current.state === state
    if (isSame && Date.now() - (last.current?.at ?? 0) < SAID_MS) return
    last.current = { thread_id, state, at: Date.now() }
    // Whoever cannot be told now is told at the next turn.
    report(thread_id, state).catch(() => {
      last.current = null
    })
  }
}

const answerField = (frame: HTMLElement | null) =>
  frame?.querySelector<HTMLTextAreaElement>('[data-mode="reply"] textarea')

/** What is written goes on being written for a while after the last key. */
function useTyping() {
  const frame = useRef<HTMLDivElement>(null)
  const typed = useRef(0)
  const said = useRef<PresenceState>('open')
  function readState(): PresenceState {
    const isFresh = Date.now() - typed.current < PRESENT_MS
    said.current = isFresh && answerField(frame.current)?.value.trim() ? 'typing' : 'open'
    return said.current
  }
  /** Whether it is to be said at once. */
  function hear(target: EventTarget): boolean {
    if (target !== answerField(frame.current)) return false
    typed.current = Date.now()
    const before = said.current
    return readState() !== before
  }
  return { frame, readState, hear }
}

type Props = {
  /** The conversation that is open, where the others are told of it. */
  thread_id: string | null
  className: string | undefined
  report: ReportPresence
  children: ReactNode
}

/** Around list and conversation: keeps both as they are on the server, and shows who has what open. */
export function InboxLive({ thread_id, className, report, children }: Props) {
  const router = useRouter()
  const [people, setPeople] = useState<readonly InboxPresence[]>([])
  const { frame, readState, hear } = useTyping()
  const reportState = useReport(report)
  const watched = useRef<ReturnType<typeof watching>>(undefined)
  const isBusy = useRef(false)
  const ask = useEffectEvent(async () => {
    const state = readState()
    if (thread_id) reportState(thread_id, state)
    const answer = await hearOthers()
    if (!answer?.ok) return answer && { status: answer.status, version: null }
    const told: Told = await answer.json()
    isBusy.current = told.people.some((person) => person.thread_id === thread_id)
    setPeople(told.people)
    return { status: answer.status, version: told.version }
  })
  const leave = useEffectEvent((left: string) => reportState(left, 'left'))
  const refresh = useEffectEvent(() => router.refresh())
  useEffect(() => {
    const seconds = thread_id ? THREAD_SECONDS : LIST_SECONDS
    const watch = watching({
      ask: () => ask(),
      seconds,
      refresh: () => refresh(),
      isBusy: () => isBusy.current,
    })
    watched.current = watch
    if (thread_id) void ask()
    const goAway = () => thread_id && leave(thread_id)
    window.addEventListener('pagehide', goAway)
    return () => {
      watch.stop()
      window.removeEventListener('pagehide', goAway)
      goAway()
    }
  }, [thread_id])
  return (
    <People value={people}>
      <div
        ref={frame}
        className={className}
        onInput={({ target }) => hear(target) && watched.current?.soon()}
        onReset={() => setTimeout(() => watched.current?.soon())}
      >
        {children}
      </div>
    </People>
  )
}

const usePresent = (threadId: string) => useContext(People).filter(({ thread_id }) => thread_id === threadId)

/** Who else has this conversation open, above where one writes. */
export function PresenceLine({ thread_id }: { thread_id: string }) {
  const people = usePresent(thread_id)
  const text = presenceText(people)
  return (
    <div role="status" aria-live="polite">
      {text && (
        <p className="mb-2 flex items-center gap-2 text-sm text-muted">
          <Avatars people={people} />
          <span className="min-w-0 truncate">{text}</span>
        </p>
      )}
    </div>
  )
}

function Avatars({ people }: { people: readonly InboxPresence[] }) {
  return (
    <span className="flex shrink-0 -space-x-1.5">
      {people.slice(0, MAX_AVATARS).map(({ user_id, name }) => (
        <Avatar key={user_id} name={name} />
      ))}
    </span>
  )
}

/** The same in a row of the list. */
export function PresenceBadge({ thread_id }: { thread_id: string }) {
  const people = usePresent(thread_id)
  const text = presenceText(people)
  if (!text) return null
  return <Badge tone={people.some(({ is_typing }) => is_typing) ? 'accent' : 'neutral'}>{text}</Badge>
}
