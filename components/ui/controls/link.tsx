'use client'

import NextLink, { useLinkStatus } from 'next/link'
import { type ComponentProps, useState } from 'react'
import { isPlaced } from './placed-focus.ts'

/**
 * Prefetches its page when the user is about to follow it: prefetching all links of a page took up to eighty
 * requests, plus another page's scripts. `prefetch={false}` disables it.
 */
export function Link({ prefetch, children, ...rest }: ComponentProps<typeof NextLink>) {
  const [isWanted, setWanted] = useState(false)
  const want = () => setWanted(true)
  return (
    <NextLink
      prefetch={isWanted && prefetch !== false ? null : false}
      onPointerEnter={want}
      onFocus={({ currentTarget }) => isPlaced(currentTarget) || want()}
      {...rest}
    >
      {children}
      <Followed />
    </NextLink>
  )
}

/** Marks a link that was followed until its page arrives, for styling. */
const Followed = () => useLinkStatus().pending && <span data-followed hidden />
