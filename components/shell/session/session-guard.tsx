'use client'

import dynamic from 'next/dynamic'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { wayBackHere } from '../way-back.ts'
import { withWorkspace } from './workspace-fetch.ts'

const SessionEnded = dynamic(() => import('./session-ended.tsx').then((module) => module.SessionEnded), {
  loading: () => null,
})

/** Answers 401 where nobody is signed in, and next to nothing otherwise. */
const PROBE = '/live/home'

/** The way to the sign-in that an answer leads to because a session has ended; null for every other answer. */
function findSignInRedirect(
  input: RequestInfo | URL,
  init: RequestInit | undefined,
  answer: Response,
): string | null {
  const asked = new Headers(init?.headers)
  const base = window.location.href
  if (asked.has('next-action')) {
    const [to = ''] = (answer.headers.get('x-action-redirect') ?? '').split(';', 1)
    return endedAt(to, base)
  }
  // What this page draws anew leads away from it; a link to another page is meant to.
  const url = new URL(input instanceof Request ? input.url : input, base)
  const isHere =
    asked.has('rsc') && !asked.has('next-router-prefetch') && url.pathname === window.location.pathname
  return isHere && answer.redirected ? endedAt(answer.url, base) : null
}

function endedAt(to: string, base: string): string | null {
  if (!to) return null
  const { pathname, searchParams } = new URL(to, base)
  return pathname === '/sign-in' && searchParams.has('ended') ? to : null
}

/**
 * Puts a fetch in the place of the browser's that says which workspace the page is of, and holds what a session that ended would
 * lead away; answers the way back.
 */
function guardFetch(
  ask: typeof fetch,
  workspaceId: string,
  waiting: (() => void)[],
  tell: (signIn: string) => void,
) {
  window.fetch = async (input, init) => {
    for (;;) {
      const answer = await ask(input, withWorkspace(input, init, workspaceId))
      if (typeof input === 'string' && input.startsWith('/live/') && answer.status === 401)
        tell(wayBackHere())
      const to = findSignInRedirect(input, init, answer)
      if (to === null) return answer
      tell(to)
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
  }
  return () => {
    window.fetch = ask
  }
}

/** Back from the other tab it goes on by itself. */
function useBackAgain(isEnded: boolean, plain: RefObject<typeof fetch | undefined>, goOn: () => void) {
  useEffect(() => {
    if (!isEnded) return
    const probeSession = async () => {
      if (document.visibilityState !== 'visible') return
      // By a name of its own: called as a part of something else, a browser's fetch refuses.
      const ask = plain.current
      const answer = await ask?.(PROBE, { cache: 'no-store' }).catch(() => null)
      if (answer && answer.status !== 401) goOn()
    }
    document.addEventListener('visibilitychange', probeSession)
    window.addEventListener('focus', probeSession)
    return () => {
      document.removeEventListener('visibilitychange', probeSession)
      window.removeEventListener('focus', probeSession)
    }
  }, [isEnded, goOn, plain])
}

/**
 * Keeps what was typed when a session ends. Whatever a page asks of the server once nobody is signed in would lead it to the
 * sign-in, and every form with it; here it waits, until somebody signed in in another tab, and is asked again. Whatever another tab
 * does, the page stays in its workspace.
 */
export function SessionGuard({ workspaceId }: { workspaceId: string }) {
  const waiting = useRef<(() => void)[]>([])
  const plain = useRef<typeof fetch>(undefined)
  /** Where one signs in again. */
  const [signIn, setSignIn] = useState<string | null>(null)
  const isEnded = signIn !== null
  const [isOpen, setOpen] = useState(false)

  const goOn = useCallback(() => {
    setSignIn(null)
    setOpen(false)
    for (const resume of waiting.current.splice(0)) resume()
  }, [])

  useEffect(() => {
    const ask = window.fetch
    plain.current = ask
    return guardFetch(ask, workspaceId, waiting.current, (to) => {
      setSignIn(to)
      setOpen(true)
    })
  }, [workspaceId])

  useBackAgain(isEnded, plain, goOn)

  return signIn === null ? null : <SessionEnded {...{ signIn, isOpen, setOpen, goOn }} />
}
