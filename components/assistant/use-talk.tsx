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

/** The server's error message; the transport throws the raw body. */
function errorMessage(cause: unknown): string {
  try {
    const { detail } = asRecord(JSON.parse(cause instanceof Error ? cause.message : ''))
    return typeof detail === 'string' ? detail : UNREACHABLE
  } catch {
    return UNREACHABLE
  }
}

/** A resent message takes its old position, here and on the server. */
function withSaid(messages: TalkMessage[], said: TalkMessage | undefined): TalkMessage[] {
  if (!said) return messages
  const at = messages.findIndex(({ id }) => id === said.id)
  return [...(at < 0 ? messages : messages.slice(0, at)), said]
}

/**
 * A decided approval, or one ignored by sending another message, is no longer open; the server treats it the
 * same way.
 */
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

/** The messages of a conversation; null if it cannot be read. */
async function fetchMessages(thread: string, token: Token): Promise<TalkMessage[] | null> {
  const response = await fetch(`${API}/conversations/${encodeURIComponent(thread)}`, {
    headers: { authorization: `Bearer ${await token()}` },
  }).catch(() => null)
  return response?.ok ? (await response.json()).messages : null
}

/** The code that reads answers is most of this page's script, so it loads when somebody is about to ask. */
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
      // A decision that the server did not accept is undone.
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
    /** Retry sends a message again. A decision is made only once, so its result is read instead. */
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
