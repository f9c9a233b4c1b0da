'use client'

import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { Dialog } from '#components/ui/overlays/dialog'

type Props = { title: ReactNode; description?: string; closeHref: string; children: ReactNode }

/** A panel beside the list, opened by the URL; closing it returns to the list. */
export function LeadPanel({ title, description, closeHref, children }: Props) {
  const router = useRouter()
  return (
    <Dialog
      isOpen
      look="drawer"
      title={title}
      description={description}
      onClose={() => router.replace(closeHref, { scroll: false })}
    >
      {children}
    </Dialog>
  )
}
