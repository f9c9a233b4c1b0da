'use client'

import { useEffect, useState } from 'react'
import { counted } from '#components/ui/counted'
import type { Found as FoundRows } from '#lib/contracts/workspaces/search'

type Found = FoundRows & { operations: { id: string; summary: string }[] }

export type SearchAll = (q: string) => Promise<Found | null>

export type Hit = { href: string; title: string; kind: string; isReference?: true }

const PAUSE_MS = 150
const SHORTEST = 2

/** The results with their pages, most wanted kinds first. */
function listHits(results: Found): Hit[] {
  return [
    ...results.campaigns.map((one) => ({
      href: `/campaigns/${one.campaign_id}`,
      title: one.name,
      kind: `campaign, ${one.status === 'draining' ? 'finishing' : one.status}`,
    })),
    ...results.leads.map((one) => ({
      href: `/campaigns/${one.campaign_id}/leads?lead=${one.campaign_lead_id}`,
      title: one.email,
      kind: `lead of ${one.campaign_name}`,
    })),
    ...results.threads.map((one) => ({
      href: `/inbox/${one.thread_id}`,
      title: one.subject || one.counterpart_address,
      kind: `conversation with ${one.counterpart_address}`,
    })),
    ...results.datasets.map((one) => ({
      href: `/datasets/${one.dataset_id}`,
      title: one.dataset_name,
      kind: `dataset, ${counted(one.row_count, 'rows')}`,
    })),
    ...results.templates.map((one) => ({
      href: `/templates/${one.template_id}`,
      title: one.name,
      kind: 'template',
    })),
    ...results.mailboxes.map((one) => ({
      href: `/mailboxes/${one.mailbox_id}`,
      title: one.address,
      kind: 'mailbox',
    })),
    ...results.operations.map((one) => ({
      href: `/docs/${one.id}`,
      title: one.summary,
      kind: 'API reference',
      isReference: true as const,
    })),
  ]
}

/** Searches when typing pauses; outdated answers are dropped. */
export function useHits(wanted: string, search: SearchAll): Hit[] {
  const [hits, setHits] = useState<Hit[]>([])
  const q = wanted.trim()
  useEffect(() => {
    if (q.length < SHORTEST) {
      setHits((now) => (now.length > 0 ? [] : now))
      return
    }
    let isWanted = true
    const timer = setTimeout(async () => {
      // Without an answer the menu still navigates.
      const results = await search(q).catch(() => null)
      if (isWanted) setHits(results ? listHits(results) : [])
    }, PAUSE_MS)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [q, search])
  return hits
}
