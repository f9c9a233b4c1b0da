'use client'

import { useState } from 'react'
import type { Conversation } from '#lib/contracts/agent'
import { API, type Token } from './use-talk.tsx'

const NONE: ReadonlySet<string> = new Set()

/** The user's conversations, as they are read and changed over the API. */
export function useThreads(token: Token) {
  const [found, setFound] = useState<Conversation[] | null>(null)
  const [archived, setArchived] = useState(NONE)
  const [failed, setFailed] = useState<string | null>(null)

  async function request(method: string, thread: string | null, body?: object) {
    const place = thread === null ? '' : `/${encodeURIComponent(thread)}`
    const response = await fetch(`${API}/conversations${place}`, {
      method,
      headers: { authorization: `Bearer ${await token()}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    // Gone already is as good as deleted.
    if (!response.ok && response.status !== 404) throw new Error()
    return response.status === 200 ? response.json() : null
  }

  async function attempt(what: string, act: () => Promise<void>) {
    setFailed(null)
    await act().catch(() => setFailed(`The conversation${what}. Try again.`))
  }

  return {
    found,
    archived,
    failed,
    load: () =>
      attempt('s could not be read', async () => {
        setFound((await request('GET', null)).conversations)
        setArchived(NONE)
      }),
    rename: (thread: string, title: string) =>
      attempt(' could not be renamed', async () => {
        await request('PATCH', thread, { title })
        setFound((all) => all?.map((one) => (one.thread_id === thread ? { ...one, title } : one)) ?? null)
      }),
    archive: (thread: string, isArchived: boolean) =>
      attempt(' could not be archived', async () => {
        await request('PATCH', thread, { archived: isArchived })
        setArchived(
          (all) => new Set([...all].filter((one) => one !== thread).concat(isArchived ? thread : [])),
        )
      }),
    remove: (thread: string) =>
      attempt(' could not be deleted', async () => {
        await request('DELETE', thread)
        setFound((all) => all?.filter((one) => one.thread_id !== thread) ?? null)
      }),
  }
}

export type Threads = ReturnType<typeof useThreads>
