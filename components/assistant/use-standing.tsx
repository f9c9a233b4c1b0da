'use client'

import { useEffect, useState } from 'react'
import type { Explanation } from '#lib/contracts/campaigns/explanations'
import type { Token } from './talk-message.tsx'

type Known = { campaignId: string; standing: Explanation | null }

/** The status of a campaign, read once per campaign; undefined while loading, null if it cannot be read. */
export function useStanding(campaignId: string | undefined, token: Token): Explanation | null | undefined {
  const [known, setKnown] = useState<Known | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the token is made anew with each call
  useEffect(() => {
    if (campaignId === undefined) return
    let isLeft = false
    void readStanding(campaignId, token)
      .catch(() => null)
      .then((standing) => {
        if (!isLeft) setKnown({ campaignId, standing })
      })
    return () => {
      isLeft = true
    }
  }, [campaignId])
  return known && known.campaignId === campaignId ? known.standing : undefined
}

async function readStanding(campaignId: string, token: Token): Promise<Explanation | null> {
  const response = await fetch(`/api/v1/campaigns/${campaignId}/explanation`, {
    headers: { authorization: `Bearer ${await token()}` },
  })
  return response.ok ? response.json() : null
}
