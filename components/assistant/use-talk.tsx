'use client'

import { useEffect, useRef, useState } from 'react'
import { asRecord } from '#lib/domain/text/record'
import {
  API,
  type Ask,
  isTool,
  type Resume,
  type TalkMessage,
  type TalkPart,
  type Token,
} from './talk-message.tsx'

const UNREACHABLE = 'The assistant could not be reached.'

/** What the server says of a refusal; the transport throws its body as it came. */
function errorMessage(cause: unknown): string {
  try {
    const { detail } = asRecord(JSON.parse(cause instanceof Error ? cause.message : ''))
    return typeof detail === 'string' ? detail : UNREACHABLE
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
    isTool(part) && part.state === 'approval-requested'
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

/** What was said in a conversation; null where it cannot be read. */
async function fetchMessages(thread: string, token: Token): Promise<TalkMessage[] | null> {
  const response = await fetch(`${API}/conversations/${encodeURIComponent(thread)}`, {
    headers: { authorization: `Bearer ${await token()}` },
  }).catch(() => null)
  return response?.ok ? (await response.json()).messages : null
}

/** What reads an answer is most of the script of this page: it comes once somebody is about to ask. */
export const loadAnswers = () => import('./answers.ts')

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
      for await (const now of (await loadAnswers()).answers(request, setError)) setMessages(now)
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
    if (!kept) return setError('The conversation could not be loaded.')
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
