'use client'

import { Download } from 'lucide-react'
import { type MouseEvent, type ReactNode, useState } from 'react'
import { toast } from '#components/ui/overlays/toast'

type Props = { href: string; filename: string; children: ReactNode }

/** Downloads a file or shows the error; one that is read from a mailbox takes a while. */
export function FileLink({ href, filename, children }: Props) {
  const [isLoading, setLoading] = useState(false)
  async function download(event: MouseEvent) {
    event.preventDefault()
    if (isLoading) return
    setLoading(true)
    const problem = await save(href, filename).catch(() => 'The server could not be reached.')
    setLoading(false)
    if (problem) toast.error(problem, { duration: Number.POSITIVE_INFINITY })
  }
  return (
    <a
      href={href}
      download={filename}
      onClick={download}
      aria-busy={isLoading}
      className="inline-flex min-h-6 max-w-full items-center gap-1 rounded-xs border border-border bg-sunken px-1.5 text-xs font-medium text-accent-text hover:bg-hover hover:underline aria-busy:opacity-60 [&_svg]:size-3 [&_svg]:shrink-0"
    >
      <Download aria-hidden />
      {children}
    </a>
  )
}

async function save(href: string, filename: string): Promise<string | null> {
  const response = await fetch(href)
  if (!response.ok) {
    const answer: { message?: unknown } = await response.json().catch(() => ({}))
    return typeof answer.message === 'string' ? answer.message : 'The file could not be read.'
  }
  const url = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = url
  link.download = filename
  link.click()
  // After that time the browser has started to save the file.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
  return null
}
