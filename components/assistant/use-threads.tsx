'use client'

import { useRef, useState } from 'react'
import type { Conversation } from '#lib/contracts/assistant/agent'
import { API, type Token } from './talk-message.tsx'

const NONE: ReadonlySet<string> = new Set()
const threadPath = (thread: string) => `/${encodeURIComponent(thread)}`

async function ask(token: Token, method: string, place: string, body?: object) {
  const response = await fetch(`${API}/conversations${place}`, {
    method,
    headers: { authorization: `Bearer ${await token()}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  // Deleting a conversation that no longer exists counts as success.
  if (!response.ok && response.status !== 404) throw new Error()
  return response.status === 200 ? response.json() : null
}

/** The user's conversations, as they are read and changed over the API. */
export function useThreads(token: Token) {
  const [conversations, setConversations] = useState<Conversation[] | null>(null)
  const [archived, setArchived] = useState(NONE)
  const [failed, setFailed] = useState<string | null>(null)
  const [isArchive, setArchive] = useState(false)
  const asked = useRef(0)

  const request = (method: string, place: string, body?: object) => ask(token, method, place, body)

  async function attempt(what: string, act: () => Promise<void>) {
    setFailed(null)
    await act().catch(() => setFailed(`The conversation${what}. Try again.`))
  }

  const read = (ofArchive: boolean) =>
    attempt('s could not be read', async () => {
      const turn = ++asked.current
      const answer = await request('GET', ofArchive ? '?archived=true' : '')
      // A newer request has been made meanwhile.
      if (turn !== asked.current) return
      setConversations(answer.conversations)
      setArchived(NONE)
    })
  const drop = (thread: string) =>
    setConversations((all) => all?.filter((one) => one.thread_id !== thread) ?? null)

  return {
    conversations,
    archived,
    failed,
    /** Whether `found` are the archived conversations instead of the others. */
    isArchive,
    load: () => read(isArchive),
    show: (ofArchive: boolean) => {
      setArchive(ofArchive)
      setConversations(null)
      return read(ofArchive)
    },
    rename: (thread: string, title: string) =>
      attempt(' could not be renamed', async () => {
        await request('PATCH', threadPath(thread), { title })
        setConversations(
          (all) => all?.map((one) => (one.thread_id === thread ? { ...one, title } : one)) ?? null,
        )
      }),
    archive: (thread: string, isArchived: boolean) =>
      attempt(' could not be archived', async () => {
        await request('PATCH', threadPath(thread), { archived: isArchived })
        setArchived(
          (all) => new Set([...all].filter((one) => one !== thread).concat(isArchived ? thread : [])),
        )
      }),
    takeBack: (thread: string) =>
      attempt(' could not be taken back', async () => {
        await request('PATCH', threadPath(thread), { archived: false })
        drop(thread)
      }),
    remove: (thread: string) =>
      attempt(' could not be deleted', async () => {
        await request('DELETE', threadPath(thread))
        drop(thread)
      }),
  }
}

export type Threads = ReturnType<typeof useThreads>
