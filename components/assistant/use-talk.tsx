'use client'

import { DefaultChatTransport, readUIMessageStream, type UIMessage } from 'ai'
import { useEffect, useRef, useState } from 'react'

export type Resume = { approval_id: string; approved: boolean }
type Ask = { message?: string; resume?: Resume }

const API = '/api/v1/agent'

/** Where the user is, for “this campaign”. */
function pageContext() {
  const path = window.location.pathname
  const campaign = /^\/campaigns\/([0-9a-f-]{36})/.exec(path)?.[1]
  return { path, ...(campaign ? { campaign_id: campaign } : {}) }
}

/** One conversation with the assistant; the token is asked for anew with each turn, since it is short-lived. */
export function useTalk(token: () => Promise<string>) {
  const [threadId, setThreadId] = useState(() => crypto.randomUUID() as string)
  const [messages, setMessages] = useState<UIMessage[]>([])
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const running = useRef<AbortController | null>(null)
  const last = useRef<Ask>({})
  useEffect(() => () => running.current?.abort(), [])

  async function request(path: string) {
    const response = await fetch(API + path, { headers: { authorization: `Bearer ${await token()}` } })
    if (!response.ok) throw new Error('The conversations could not be read.')
    return response.json()
  }

  async function run(asked: Ask, history: UIMessage[], signal: AbortSignal) {
    const transport = new DefaultChatTransport<UIMessage>({
      api: `${API}/chat`,
      headers: { authorization: `Bearer ${await token()}` },
      prepareSendMessagesRequest: () => ({
        body: { thread_id: threadId, page_context: pageContext(), ...asked },
      }),
    })
    const stream = await transport.sendMessages({
      trigger: 'submit-message',
      chatId: threadId,
      messageId: undefined,
      messages: history,
      abortSignal: signal,
    })
    const previous = history.at(-1)
    // What was decided goes on in the message that asked.
    const isGoingOn = asked.resume && previous?.role === 'assistant'
    const before = isGoingOn ? history.slice(0, -1) : history
    const given = isGoingOn ? { message: structuredClone(previous) } : {}
    const onError = (cause: unknown) =>
      setError(cause instanceof Error ? cause.message : 'The answer broke off.')
    for await (const message of readUIMessageStream({ stream, onError, ...given }))
      setMessages([...before, message])
  }

  async function ask(asked: Ask) {
    running.current?.abort()
    const control = new AbortController()
    running.current = control
    last.current = asked
    const said: UIMessage[] = asked.message
      ? [{ id: crypto.randomUUID(), role: 'user', parts: [{ type: 'text', text: asked.message }] }]
      : []
    const history = [...messages, ...said]
    setMessages(history)
    setBusy(true)
    setError(null)
    try {
      await run(asked, history, control.signal)
    } catch {
      if (!control.signal.aborted) setError('The assistant could not be reached.')
    } finally {
      if (running.current === control) setBusy(false)
    }
  }

  async function open(thread: string) {
    const { messages: kept } = await request(`/conversations/${encodeURIComponent(thread)}`)
    setThreadId(thread)
    setMessages(kept)
    setError(null)
  }

  return {
    messages,
    busy,
    error,
    ask,
    open,
    list: async () => (await request('/conversations')).conversations,
    retry: () => ask(last.current),
    stop: () => {
      running.current?.abort()
      setBusy(false)
    },
    begin: () => {
      setThreadId(crypto.randomUUID())
      setMessages([])
      setError(null)
    },
  }
}
