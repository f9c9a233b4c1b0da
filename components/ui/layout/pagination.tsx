import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { LinkButton } from '../controls/link-button.tsx'
import { counted } from '../counted.tsx'
import { type Query, queryHref } from '../query-href.tsx'

type Props = {
  path: string
  query: Query
  page: number
  page_size: number
  total: number
  noun: string
  /** The number at which counting stopped; such a total is shown with "+". */
  countedTo?: number | undefined
  /** For a scrolling list of all pages: scrolls to a page instead of loading it. */
  onPage?: (page: number) => void
}

export function Pagination({ path, query, page, page_size, total, noun, countedTo, onPage }: Props) {
  const pages = Math.max(1, Math.ceil(total / page_size))
  const first = Math.min(total, (page - 1) * page_size + 1)
  const last = Math.min(total, page * page_size)
  return (
    <nav
      aria-label={`Pages of ${noun}`}
      className="flex items-center justify-between gap-4 border-t border-border px-4 py-2 text-sm text-muted"
    >
      <p>
        {pages > 1 && `${first.toLocaleString('en')}–${last.toLocaleString('en')} of `}
        {counted(total, noun, countedTo)}
      </p>
      {pages > 1 && (
        <div className="flex gap-1">
          <Step
            label="Previous page"
            href={page > 1 ? queryHref(path, query, { page: page - 1 }) : null}
            onGo={onPage && (() => onPage(page - 1))}
          >
            <ChevronLeft aria-hidden />
          </Step>
          <Step
            label="Next page"
            href={page < pages ? queryHref(path, query, { page: page + 1 }) : null}
            onGo={onPage && (() => onPage(page + 1))}
          >
            <ChevronRight aria-hidden />
          </Step>
        </div>
      )}
    </nav>
  )
}

type StepProps = { label: string; href: string | null; onGo?: (() => void) | undefined; children: ReactNode }

function Step({ label, href, onGo, children }: StepProps) {
  if (!href) {
    return (
      <span aria-hidden className="grid size-7 place-items-center opacity-40 [&_svg]:size-4">
        {children}
      </span>
    )
  }
  return (
    <LinkButton
      href={href}
      aria-label={label}
      variant="ghost"
      size="icon-sm"
      scroll={false}
      prefetch={onGo ? false : undefined}
      onNavigate={
        onGo &&
        ((event) => {
          event.preventDefault()
          onGo()
        })
      }
    >
      {children}
    </LinkButton>
  )
}
