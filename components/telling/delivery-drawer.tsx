'use client'

import { useRouter } from 'next/navigation'
import type { ReactNode } from 'react'
import { Dialog } from '#components/ui/overlays/dialog'

type Props = { title: string; closeHref: string; children: ReactNode }

/** Opened by the URL beside the list; closing it returns to the list. */
export function DeliveryDrawer({ title, closeHref, children }: Props) {
  const router = useRouter()
  return (
    <Dialog isOpen look="drawer" title={title} onClose={() => router.replace(closeHref, { scroll: false })}>
      {children}
    </Dialog>
  )
}
