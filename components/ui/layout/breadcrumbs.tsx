import { Link } from '#components/ui/controls/link'

export function Breadcrumbs({ items }: { items: { href: string; label: string }[] }) {
  return (
    <nav aria-label="Breadcrumbs">
      <ol className="flex flex-wrap items-center gap-1 text-sm text-muted">
        {items.map((item, index) => (
          <li key={item.href} className="flex items-center gap-1">
            {index > 0 && <span aria-hidden>/</span>}
            <Link
              href={item.href}
              prefetch={false}
              className="flex min-h-6 items-center rounded-xs hover:text-text"
            >
              {item.label}
            </Link>
          </li>
        ))}
      </ol>
    </nav>
  )
}
