'use client'

import { createContext, type ReactNode, useContext } from 'react'
import { relativeWords, ZonedTime, zonedWords } from './zoned-time.tsx'

const OwnZone = createContext('UTC')

/** Sets the default zone for the pages of a workspace. */
export const ZoneOwner = ({ zone, children }: { zone: string; children: ReactNode }) => (
  <OwnZone value={zone}>{children}</OwnZone>
)

type Props = { at: string; now: string; zone?: string; isAhead?: boolean }

/**
 * A time relative to the page's `now`, so that server and browser render the same; TimeHints keeps it
 * current.
 */
export function RelativeTime({ at, now, zone: named, isAhead = false }: Props) {
  const own = useContext(OwnZone)
  const zone = named ?? own
  const said = relativeWords(at, Date.parse(now), zone, isAhead)
  if (said === null) return <ZonedTime at={at} zone={zone} style="date" />
  return (
    <time
      dateTime={at}
      data-zone={zone}
      data-relative={isAhead ? 'ahead' : ''}
      title={`${zonedWords(at, zone, 'full')} (${zone})`}
      className="whitespace-nowrap"
    >
      {said}
    </time>
  )
}
