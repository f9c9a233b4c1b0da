'use client'

import { useEffect, useState } from 'react'
import type { Found as FoundRows } from '#lib/contracts/workspaces/search'

type Found = FoundRows & { operations: { id: string; summary: string }[] }

export type SearchAll = (q: string) => Promise<Found | null>

type Hit = { href: string; title: string; kind: string }

const PAUSE_MS = 150
const SHORTEST = 2

/** What was found, each with its page, in the order in which people look for things. */
function listHits(found: Found): Hit[] {
  return [
    ...found.campaigns.map((one) => ({
      href: `/campaigns/${one.campaign_id}`,
      title: one.name,
      kind: `campaign, ${one.status === 'draining' ? 'finishing' : one.status}`,
    })),
    ...found.leads.map((one) => ({
      href: `/campaigns/${one.campaign_id}/leads?lead=${one.campaign_lead_id}`,
      title: one.email,
      kind: `lead of ${one.campaign_name}`,
    })),
    ...found.threads.map((one) => ({
      href: `/inbox/${one.thread_id}`,
      title: one.subject || one.counterpart_address,
      kind: `conversation with ${one.counterpart_address}`,
    })),
    ...found.datasets.map((one) => ({
      href: `/datasets/${one.dataset_id}`,
      title: one.dataset_name,
      kind: `dataset, ${one.row_count.toLocaleString('en')} rows`,
    })),
    ...found.templates.map((one) => ({
      href: `/templates/${one.template_id}`,
      title: one.name,
      kind: 'template',
    })),
    ...found.mailboxes.map((one) => ({
      href: `/mailboxes/${one.mailbox_id}`,
      title: one.address,
      kind: 'mailbox',
    })),
    ...found.operations.map((one) => ({
      href: `/docs/${one.id}`,
      title: one.summary,
      kind: 'API reference',
    })),
  ]
}

/** Asks once typing pauses; an answer to what is no longer wanted is dropped. */
export function useHits(wanted: string, search: SearchAll): Hit[] {
  const [hits, setHits] = useState<Hit[]>([])
  const q = wanted.trim()
  useEffect(() => {
    if (q.length < SHORTEST) {
      setHits([])
      return
    }
    let isWanted = true
    const timer = setTimeout(async () => {
      // Without an answer the menu still goes places.
      const found = await search(q).catch(() => null)
      if (isWanted) setHits(found ? listHits(found) : [])
    }, PAUSE_MS)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [q, search])
  return hits
}
