'use client'

import { clsx } from 'clsx'
import { useRouter } from 'next/navigation'
import { type FormEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { LeaveGuard } from '#components/drafts/leave-guard'
import { useDraft } from '#components/drafts/use-draft'
import { Button } from '#components/ui/controls/button'
import { Textarea } from '#components/ui/controls/textarea'
import { Message } from './message.tsx'
import { Past } from './past.tsx'
import type { Token } from './talk-message.tsx'
import { loadAnswers, useTalk } from './use-talk.tsx'
import { useThreads } from './use-threads.tsx'
import { Welcome } from './welcome.tsx'

type Props = {
  token: Token
  /** Shows earlier conversations beside it if the window is wide. */
  beside?: boolean
}

/** The conversation, used in the drawer and on its own page. */
export function Talk({ token, beside = false }: Props) {
  const talk = useTalk(token)
  const threads = useThreads(token)
  const unfolded = useRef<HTMLDetailsElement>(null)
  // Conversations beside it are loaded with the page, and again when an answer may have created one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once at the start and at each end of an answer
  useEffect(() => {
    if (beside && !talk.busy) void threads.load()
  }, [beside, talk.busy])

  const past = (
    <Past
      threads={threads}
      current={talk.threadId}
      open={(thread) => {
        // Close the list, which covers the chosen conversation.
        if (unfolded.current) unfolded.current.open = false
        void talk.open(thread)
      }}
      onGone={talk.begin}
    />
  )
  const conversation = (
    <div
      className={clsx('flex min-h-0 w-full flex-1 flex-col gap-3 p-4 text-sm', beside && 'mx-auto max-w-3xl')}
    >
      <div className={clsx('flex items-start justify-between gap-2', beside && 'lg:hidden')}>
        <PastFold ref={unfolded} onOpen={() => void threads.load()}>
          {past}
        </PastFold>
        <Button size="sm" variant="ghost" onClick={talk.begin} aria-disabled={talk.busy}>
          New
        </Button>
      </div>
      <Conversation talk={talk} token={token} />
      <Composer talk={talk} beside={beside} />
    </div>
  )
  if (!beside) return conversation
  return (
    <div className="flex min-h-0 flex-1">
      <div className="hidden w-72 shrink-0 flex-col gap-2 border-r border-border p-4 text-sm lg:flex">
        <Button onClick={talk.begin} aria-disabled={talk.busy}>
          New conversation
        </Button>
        <h2 className="mt-2 px-2 text-xs font-medium text-muted">Past conversations</h2>
        <div className="min-h-0 flex-1 overflow-y-auto">{past}</div>
      </div>
      <div className="flex min-w-0 flex-1 flex-col">{conversation}</div>
    </div>
  )
}

type FoldProps = { ref: RefObject<HTMLDetailsElement | null>; onOpen: () => void; children: ReactNode }

function PastFold({ ref, onOpen, children }: FoldProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      ref={ref}
      onToggle={({ target, currentTarget }) => {
        // Menus inside also emit toggle events, and React lets them bubble.
        if (target !== currentTarget) return
        setOpen(currentTarget.open)
        if (currentTarget.open) onOpen()
      }}
      className="min-w-0 flex-1"
    >
      <summary className="cursor-pointer py-1 text-muted">Past conversations</summary>
      <div className="max-h-56 overflow-y-auto">{isOpen && children}</div>
    </details>
  )
}

type Talking = { talk: ReturnType<typeof useTalk> }

/** The messages, scrolled to the end. */
function Conversation({ talk, token }: Talking & { token: Token }) {
  const router = useRouter()
  const end = useRef<HTMLDivElement>(null)
  // Must not return the call's result: it is a promise in some browsers, which React would take for a
  // clean-up function.
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows what is said, and the buttons that come at its end
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' })
  }, [talk.messages, talk.busy])
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
      {talk.messages.length === 0 && <Welcome say={(words) => void talk.say(words)} token={token} />}
      <ol aria-live="polite" aria-busy={talk.busy} aria-label="Conversation" className="space-y-4">
        {talk.messages.map((message) => (
          <Message
            key={message.id}
            message={message}
            isLast={message === talk.messages.at(-1)}
            busy={talk.busy}
            // The page behind may show data that was changed.
            decide={(resume) => void talk.decide(resume).then(() => router.refresh())}
          />
        ))}
      </ol>
      {talk.error && (
        <p role="alert" className="mt-3 flex items-center justify-between gap-2 text-danger">
          {talk.error}
          <Button size="sm" onClick={() => void talk.retry()}>
            Try again
          </Button>
        </p>
      )}
      <div ref={end} />
    </div>
  )
}

/** The message field; its text is kept as a draft until it is sent. */
function Composer({ talk, beside }: Talking & { beside: boolean }) {
  const [text, setText] = useState('')
  const isWritten = text.trim() !== ''
  useDraft({
    name: 'chat',
    base: '',
    version: null,
    mine: text,
    isDirty: isWritten,
    isOff: false,
    isSame: Object.is,
    restore: setText,
  })
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    field.current?.focus()
  }, [])

  function send(event?: FormEvent) {
    event?.preventDefault()
    const message = text.trim()
    if (message === '' || talk.busy) return
    setText('')
    void talk.say(message)
  }
  return (
    <>
      {/* The drawer stays open across pages together with its text, so only the page needs a guard. */}
      <LeaveGuard isDirty={beside && isWritten} />
      <form onSubmit={send} className="flex items-end gap-2">
        <Textarea
          ref={field}
          aria-label="Message"
          placeholder="Ask a question or give it a task"
          rows={2}
          maxLength={20_000}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            void loadAnswers()
          }}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing) send(event)
          }}
          className="flex-1"
        />
        {talk.busy ? (
          <Button onClick={talk.stop}>Stop</Button>
        ) : (
          <Button type="submit" variant="primary">
            Send
          </Button>
        )}
      </form>
    </>
  )
}
