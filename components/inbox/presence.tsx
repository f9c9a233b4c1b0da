'use client'

import { useRouter } from 'next/navigation'
import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useRef, useState } from 'react'
import { Avatar } from '#components/ui/avatar'
import { Badge } from '#components/ui/feedback/badge'
import { watching } from '#components/ui/feedback/live-refresh'
import type { InboxPresence } from '#lib/contracts/inbox/inbox-presence'
import type { PRESENCE_HEADER } from '#lib/contracts/live'
import { PRESENT_MS, type PresenceState, presenceText } from '#lib/domain/inbox/presence'

const People = createContext<readonly InboxPresence[]>([])
type Told = { version: string; people: InboxPresence[] }

const HEADER: typeof PRESENCE_HEADER = 'x-opener-presence'

const LIST_SECONDS = 5
const THREAD_SECONDS = 3
const MAX_AVATARS = 3

/**
 * Reports the user's presence and returns that of others, and whether the inbox changed. Uses only the URL,
 * without a body.
 */
const tell = (thread_id: string | null, state: PresenceState, keepalive = false) => {
  const query = thread_id ? `?${new URLSearchParams({ thread_id, state })}` : ''
  const headers = { [HEADER]: '1' }
  return fetch(`/live/inbox${query}`, { headers, cache: 'no-store', keepalive }).catch(() => null)
}

const answerField = (frame: HTMLElement | null) =>
  frame?.querySelector<HTMLTextAreaElement>('[data-mode="reply"] textarea')

/** Counts as typing for a while after the last key. */
function useTyping() {
  const frame = useRef<HTMLDivElement>(null)
  const typed = useRef(0)
  const said = useRef<PresenceState>('open')
  function readState(): PresenceState {
    const isFresh = Date.now() - typed.current < PRESENT_MS
    said.current = isFresh && answerField(frame.current)?.value.trim() ? 'typing' : 'open'
    return said.current
  }
  /** Returns whether to report it at once. */
  function hear(target: EventTarget): boolean {
    if (target !== answerField(frame.current)) return false
    typed.current = Date.now()
    const before = said.current
    return readState() !== before
  }
  return { frame, readState, hear }
}

type Props = {
  /** The open conversation, if others are told about it. */
  thread_id: string | null
  className: string | undefined
  children: ReactNode
}

/**
 * Wraps list and conversation: refreshes both when they change on the server, and shows who has what open.
 */
export function InboxLive({ thread_id, className, children }: Props) {
  const router = useRouter()
  const [people, setPeople] = useState<readonly InboxPresence[]>([])
  const { frame, readState, hear } = useTyping()
  const watched = useRef<ReturnType<typeof watching>>(undefined)
  const isBusy = useRef(false)
  const ask = useEffectEvent(async () => {
    const answer = await tell(thread_id, readState())
    if (!answer?.ok) return answer && { status: answer.status, version: null }
    const told: Told = await answer.json()
    isBusy.current = told.people.some((person) => person.thread_id === thread_id)
    setPeople(told.people)
    return { status: answer.status, version: told.version }
  })
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
    const leave = () => void (thread_id && tell(thread_id, 'left', true))
    window.addEventListener('pagehide', leave)
    return () => {
      watch.stop()
      window.removeEventListener('pagehide', leave)
      leave()
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

/** Who else has this conversation open; shown above the reply field. */
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
