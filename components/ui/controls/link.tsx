'use client'

import NextLink from 'next/link'
import { type ComponentProps, useState } from 'react'
import { isPlaced } from './placed-focus.ts'

/**
 * Its page is fetched ahead once somebody is about to follow it: all links of a page at once were up to eighty requests, and
 * another page's script. `prefetch={false}` asks for nothing even then.
 */
export function Link({ prefetch, ...rest }: ComponentProps<typeof NextLink>) {
  const [isWanted, setWanted] = useState(false)
  const want = () => setWanted(true)
  return (
    <NextLink
      prefetch={isWanted && prefetch !== false ? null : false}
      onPointerEnter={want}
      onFocus={({ currentTarget }) => isPlaced(currentTarget) || want()}
      {...rest}
    />
  )
}
