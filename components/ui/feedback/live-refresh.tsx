'use client'

import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import type { LiveTopic } from '#lib/contracts/live'

/** A page that nothing happens on is asked about less and less, down to this. */
const SLOWEST_SECONDS = 15
/** What a page says may grow old even where nothing happened: it is rendered anew after this, and ever more seldom. */
const RENEW_SECONDS = 60
const SELDOMEST_RENEWAL_SECONDS = 300

type Props = {
  every_seconds: number
  active?: boolean
  /** What the page shows; only where that has changed are its server parts rendered anew. */
  watch?: LiveTopic
}

/**
 * Renders the page's server parts anew while something is under way. With `watch`, a poll is one small request that is
 * answered without a body until something has changed, and comes ever more seldom meanwhile. It rests while the tab is
 * hidden; the first look back asks at once.
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

/** Without an answer null; without news a version of null. */
type Look = { status: number; version: string | null } | null
type Watched = {
  ask: () => Promise<Look>
  seconds: number
  refresh: () => void
  /** While it is, asking grows no rarer, though nothing changes. */
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

/** Asks for what the page shows, and has it rendered anew where that has changed. `soon` asks at once. */
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
    // The first answer counts as news: something may have changed since the page was rendered.
    const isDue = isNew || Date.now() - renewed > renewal * 1000
    if (version) known = version
    wait = isNew || isBusy() ? seconds : Math.min(SLOWEST_SECONDS, wait * 1.5)
    // Where the session has ended, drawing the page anew would lead away from what was typed in it.
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
