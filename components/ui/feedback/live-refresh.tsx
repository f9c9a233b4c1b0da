'use client'

import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import type { LiveTopic } from '#lib/contracts/live'

/** A page without changes is polled less and less often, down to this interval. */
const SLOWEST_SECONDS = 15
/**
 * Content such as relative times becomes outdated even without changes, so the page is rendered again after
 * this time, with growing intervals.
 */
const RENEW_SECONDS = 60
const SELDOMEST_RENEWAL_SECONDS = 300

type Props = {
  every_seconds: number
  active?: boolean
  /** What the page shows; its server parts are rendered again only if that has changed. */
  watch?: LiveTopic
}

/**
 * Renders the page's server parts again while work is in progress. With `watch`, a poll is a small request
 * without a body until something changes, at growing intervals. Pauses while the tab is hidden and checks at
 * once when it is shown again.
 */
export function LiveRefresh({ every_seconds, active = true, watch }: Props) {
  const router = useRouter()
  useEffect(() => {
    if (!active) return
    if (!watch) return ticking(every_seconds, router.refresh)
    return watching({ ask: askTopic(watch), seconds: every_seconds, refresh: router.refresh }).stop
  }, [router, every_seconds, active, watch])
  return null
}

const isVisible = () => document.visibilityState === 'visible'

function ticking(seconds: number, refresh: () => void) {
  const tick = () => isVisible() && refresh()
  const timer = setInterval(tick, seconds * 1000)
  document.addEventListener('visibilitychange', tick)
  return () => {
    clearInterval(timer)
    document.removeEventListener('visibilitychange', tick)
  }
}

/** Null if there was no answer; a version of null if nothing changed. */
type Look = { status: number; version: string | null } | null
type Watched = {
  ask: () => Promise<Look>
  seconds: number
  refresh: () => void
  /** While true, the interval does not grow even without changes. */
  isBusy?: () => boolean
}

function askTopic(topic: LiveTopic): () => Promise<Look> {
  let known: string | null = null
  return async () => {
    const headers: HeadersInit = known ? { 'if-none-match': known } : {}
    const answer = await fetch(`/live/${topic}`, { headers, cache: 'no-store' }).catch(() => null)
    const version = answer?.ok ? answer.headers.get('etag') : null
    if (version) known = version
    return answer && { status: answer.status, version }
  }
}

/** Polls what the page shows and renders it again on a change. `soon` polls at once. */
export function watching({ ask, seconds, refresh, isBusy = () => false }: Watched) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let wait = seconds
  let known: string | null = null
  let renewed = Date.now()
  let renewal = RENEW_SECONDS
  let isOver = false

  async function look() {
    const answer = await ask()
    if (isOver) return
    const version = answer?.version ?? null
    const isNew = version !== null && version !== known
    // The first answer counts as a change: something may have happened since the page was rendered.
    const isDue = isNew || Date.now() - renewed > renewal * 1000
    if (version) known = version
    wait = isNew || isBusy() ? seconds : Math.min(SLOWEST_SECONDS, wait * 1.5)
    // After the session has ended, rendering again would redirect and lose what was typed.
    if (isDue && answer && answer.status !== 401) {
      renewed = Date.now()
      renewal = isNew ? RENEW_SECONDS : Math.min(SELDOMEST_RENEWAL_SECONDS, renewal * 2)
      refresh()
    }
    plan()
  }
  function plan() {
    clearTimeout(timer)
    if (!isOver && isVisible()) timer = setTimeout(look, wait * 1000)
  }
  function soon() {
    clearTimeout(timer)
    wait = seconds
    if (!isOver && isVisible()) void look()
  }
  function restart() {
    renewal = RENEW_SECONDS
    soon()
  }
  plan()
  document.addEventListener('visibilitychange', restart)
  const stop = () => {
    isOver = true
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', restart)
  }
  return { stop, soon }
}
