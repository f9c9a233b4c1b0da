'use client'

import { clsx } from 'clsx'
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import { type ReactNode, useState } from 'react'

type Props = {
  href: string
  area?: string | undefined
  /** A place below it that has a link of its own. */
  butNot?: string | undefined
  role?: string
  className: string
  currentClass: string
  children: ReactNode
  title?: string
}

/**
 * Knows whether it is the place one is at, or above it. It is fetched ahead once somebody is about to follow it: all of them on
 * every page were thirty requests and another page's script.
 */
export function NavLink({
  href,
  area = href,
  butNot,
  className,
  currentClass,
  children,
  title,
  role,
}: Props) {
  const path = usePathname()
  const [isWanted, setWanted] = useState(false)
  const want = () => setWanted(true)
  const isAt = (place: string) => path === place || path.startsWith(`${place}/`)
  const isCurrent = isAt(area) && !(butNot && isAt(butNot))
  return (
    <Link
      href={href}
      prefetch={isWanted ? null : false}
      onPointerEnter={want}
      onFocus={want}
      role={role}
      title={title}
      aria-current={isCurrent ? 'page' : undefined}
      className={clsx(className, isCurrent && currentClass)}
    >
      {children}
    </Link>
  )
}
