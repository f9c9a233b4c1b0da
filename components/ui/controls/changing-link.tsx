'use client'

import type { ComponentProps } from 'react'
import { LinkButton } from './link-button.tsx'
import { LockedButton, useLock } from './lock.tsx'

/** A link to where something is made or changed; whoever may not is told whom to ask instead. */
export function ChangingLink(props: ComponentProps<typeof LinkButton>) {
  const { size, children } = props
  if (useLock()) return <LockedButton size={size}>{children}</LockedButton>
  return <LinkButton {...props} />
}
