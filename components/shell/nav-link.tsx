'use client'

import { clsx } from 'clsx'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { Link } from '#components/ui/controls/link'

type Props = {
  href: string
  area?: string | undefined
  /** A path below it that has a link of its own. */
  butNot?: string | undefined
  role?: string
  className: string
  currentClass: string
  children: ReactNode
  title?: string
}

/** Marks itself if its page, or one below it, is open. */
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
  const isAt = (place: string) => path === place || path.startsWith(`${place}/`)
  const isCurrent = isAt(area) && !(butNot && isAt(butNot))
  return (
    <Link
      href={href}
      role={role}
      title={title}
      aria-current={isCurrent ? 'page' : undefined}
      className={clsx(className, isCurrent && currentClass)}
    >
      {children}
    </Link>
  )
}
