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
    return watch ? watching(watch, every_seconds, router.refresh) : ticking(every_seconds, router.refresh)
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

function watching(topic: LiveTopic, seconds: number, refresh: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let wait = seconds
  let known: string | null = null
  let renewed = Date.now()
  let renewal = RENEW_SECONDS
  let isOver = false

  async function ask() {
    const headers: HeadersInit = known ? { 'if-none-match': known } : {}
    const answer = await fetch(`/live/${topic}`, { headers, cache: 'no-store' }).catch(() => null)
    if (isOver) return
    const version = answer?.ok ? answer.headers.get('etag') : null
    const isNew = version !== null && version !== known
    // The first answer counts as news: something may have changed since the page was rendered.
    const isDue = isNew || Date.now() - renewed > renewal * 1000
    if (version) known = version
    wait = isNew ? seconds : Math.min(SLOWEST_SECONDS, wait * 1.5)
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
    if (!isOver && isVisible()) timer = setTimeout(ask, wait * 1000)
  }
  function restart() {
    clearTimeout(timer)
    wait = seconds
    renewal = RENEW_SECONDS
    if (isVisible()) void ask()
  }
  plan()
  document.addEventListener('visibilitychange', restart)
  return () => {
    isOver = true
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', restart)
  }
}
