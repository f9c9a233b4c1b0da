'use client'

import dynamic from 'next/dynamic'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { wayBackHere } from '../way-back.ts'
import { withWorkspace } from './workspace-fetch.ts'

const SessionEnded = dynamic(() => import('./session-ended.tsx').then((module) => module.SessionEnded), {
  loading: () => null,
})

/** Answers 401 if nobody is signed in, and almost nothing otherwise. */
const PROBE = '/live/home'

/**
 * The sign-in URL if a response redirects to it because the session has ended; null for all other responses.
 */
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
  // Only updates of the current page are held back; a link to another page may lead to the sign-in.
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
 * Replaces the browser's fetch with one that names the page's workspace and holds back requests that an ended
 * session would redirect. Returns a function that restores it.
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

/** Continues when the user returns from signing in in another tab. */
function useBackAgain(isEnded: boolean, plain: RefObject<typeof fetch | undefined>, goOn: () => void) {
  useEffect(() => {
    if (!isEnded) return
    const probeSession = async () => {
      if (document.visibilityState !== 'visible') return
      // Called through a variable: a browser's fetch fails as a method of another object.
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
 * Keeps what was typed when the session ends. Otherwise the next request would redirect the page and its
 * forms to the sign-in. Requests wait here until the user has signed in in another tab, and are then
 * repeated. Whatever other tabs do, the page stays in its workspace.
 */
export function SessionGuard({ workspaceId }: { workspaceId: string }) {
  const waiting = useRef<(() => void)[]>([])
  const plain = useRef<typeof fetch>(undefined)
  /** URL of the sign-in page. */
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
