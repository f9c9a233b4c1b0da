'use client'

import { Printer } from 'lucide-react'
import { Button } from '#components/ui/controls/button'

export function PrintButton() {
  return (
    <Button className="print:hidden" onClick={() => window.print()}>
      <Printer aria-hidden /> Print
    </Button>
  )
}
