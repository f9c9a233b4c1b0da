'use client'

import NextLink, { useLinkStatus } from 'next/link'
import { type ComponentProps, useState } from 'react'
import { isPlaced } from './placed-focus.ts'

/**
 * Its page is fetched ahead once somebody is about to follow it: all links of a page at once were up to eighty requests, and
 * another page's script. `prefetch={false}` asks for nothing even then.
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

/** Marks a link that is followed, until its page is there: styled as the answer to the hand. */
const Followed = () => useLinkStatus().pending && <span data-followed hidden />
