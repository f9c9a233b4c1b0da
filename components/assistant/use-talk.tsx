'use client'

import { DefaultChatTransport, isStaticToolUIPart, readUIMessageStream } from 'ai'
import { useEffect, useRef, useState } from 'react'
import { asRecord } from '#lib/domain/text/record'
import type { TalkMessage, TalkPart } from './talk-message.tsx'

export type Resume = { approval_id: string; approved: boolean }
/** Asked for anew with each request, since it is short-lived. */
export type Token = () => Promise<string>
type Ask = { said?: TalkMessage; resume?: Resume }

export const API = '/api/v1/agent'
const UNREACHABLE = 'The assistant could not be reached.'

/** Where the user is, for “this campaign”. */
function pageContext() {
  const path = window.location.pathname
  const campaign = /^\/campaigns\/([0-9a-f-]{36})/.exec(path)?.[1]
  return { path, ...(campaign ? { campaign_id: campaign } : {}) }
}

/** What the server says of a refusal; the transport throws its body as it came. */
function errorMessage(cause: unknown): string {
  try {
    const { message } = asRecord(JSON.parse(cause instanceof Error ? cause.message : ''))
    return typeof message === 'string' ? message : UNREACHABLE
  } catch {
    return UNREACHABLE
  }
}

/** A message said again takes its old place, here as on the server. */
function withSaid(messages: TalkMessage[], said: TalkMessage | undefined): TalkMessage[] {
  if (!said) return messages
  const at = messages.findIndex(({ id }) => id === said.id)
  return [...(at < 0 ? messages : messages.slice(0, at)), said]
}

/** What is decided, or passed over by going on, is open no more; the server sees it the same way. */
function withDecision(messages: TalkMessage[], resume: Resume | undefined): TalkMessage[] {
  const answered = (part: TalkPart): TalkPart =>
    isStaticToolUIPart(part) && part.state === 'approval-requested'
      ? {
          ...part,
          state: 'approval-responded',
          approval: { id: part.approval.id, ...toApproval(part.approval.id, resume) },
        }
      : part
  return messages.map((message) => ({ ...message, parts: message.parts.map(answered) }))
}

const toApproval = (id: string, resume: Resume | undefined) => ({
  approved: resume?.approval_id === id ? resume.approved : false,
})

type Request = Ask & { thread: string; token: Token; history: TalkMessage[]; signal: AbortSignal }

/** The conversation as it grows by an answer; `onBroken` hears why one broke off. */
async function* answers(
  { said, resume, thread, token, history, signal }: Request,
  onBroken: (why: string) => void,
) {
  const transport = new DefaultChatTransport<TalkMessage>({
    api: `${API}/chat`,
    headers: { authorization: `Bearer ${await token()}` },
    prepareSendMessagesRequest: () => ({
      body: {
        thread_id: thread,
        page_context: pageContext(),
        ...(resume ? { resume } : { messages: said ? [said] : [] }),
      },
    }),
  })
  const stream = await transport.sendMessages({
    trigger: 'submit-message',
    chatId: thread,
    messageId: undefined,
    messages: history,
    abortSignal: signal,
  })
  const previous = history.at(-1)
  // What was decided goes on in the message that asked.
  const isGoingOn = resume && previous?.role === 'assistant'
  const before = isGoingOn ? history.slice(0, -1) : history
  const given = isGoingOn ? { message: structuredClone(previous) } : {}
  // Who stopped it knows why it broke off.
  const onError = (cause: unknown) => {
    if (!signal.aborted) onBroken(cause instanceof Error ? cause.message : 'The answer was cut off.')
  }
  for await (const message of readUIMessageStream<TalkMessage>({ stream, onError, ...given })) {
    // What was on its way when it was stopped belongs to no conversation that is open.
    if (signal.aborted) return
    yield [...before, message]
  }
}

/** What was said in a conversation; null where it cannot be read. */
async function fetchMessages(thread: string, token: Token): Promise<TalkMessage[] | null> {
  const response = await fetch(`${API}/conversations/${encodeURIComponent(thread)}`, {
    headers: { authorization: `Bearer ${await token()}` },
  }).catch(() => null)
  return response?.ok ? (await response.json()).messages : null
}

/** One conversation with the assistant. */
export function useTalk(token: Token) {
  const [threadId, setThreadId] = useState<string>(() => crypto.randomUUID())
  const [messages, setMessages] = useState<TalkMessage[]>([])
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const running = useRef<AbortController | null>(null)
  const last = useRef<Ask>({})
  useEffect(() => () => running.current?.abort(), [])

  async function ask(asked: Ask) {
    running.current?.abort()
    const control = new AbortController()
    running.current = control
    last.current = asked
    const history = withSaid(withDecision(messages, asked.resume), asked.said)
    setMessages(history)
    setBusy(true)
    setError(null)
    try {
      const request = { ...asked, thread: threadId, token, history, signal: control.signal }
      for await (const now of answers(request, setError)) setMessages(now)
    } catch (cause) {
      if (control.signal.aborted) return
      // What was not taken was not decided.
      if (asked.resume) setMessages(messages)
      setError(errorMessage(cause))
    } finally {
      if (running.current === control) setBusy(false)
    }
  }

  const stop = () => {
    running.current?.abort()
    setBusy(false)
  }

  async function open(thread: string) {
    stop()
    const kept = await fetchMessages(thread, token)
    if (!kept) return setError('The conversation could not be read.')
    setThreadId(thread)
    setMessages(kept)
    setError(null)
  }

  return {
    threadId,
    messages,
    busy,
    error,
    say: (text: string) =>
      ask({ said: { id: crypto.randomUUID(), role: 'user', parts: [{ type: 'text', text }] } }),
    decide: (resume: Resume) => ask({ resume }),
    open,
    /** What was said is said anew; a decision is made once, so there what became of it is read. */
    retry: () => (last.current.resume ? open(threadId) : ask(last.current)),
    stop,
    begin: () => {
      stop()
      setThreadId(crypto.randomUUID())
      setMessages([])
      setError(null)
    },
  }
}
