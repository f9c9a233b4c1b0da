'use client'

import type { ComponentProps } from 'react'
import { LinkButton } from './link-button.tsx'
import { LockedButton, useLock } from './lock.tsx'

/** A link to a page that creates or changes something; users without permission are told whom to ask. */
export function ChangingLink(props: ComponentProps<typeof LinkButton>) {
  const { size, children } = props
  if (useLock()) return <LockedButton size={size}>{children}</LockedButton>
  return <LinkButton {...props} />
}
