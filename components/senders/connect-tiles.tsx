import { clsx } from 'clsx'
import { Link } from '#components/ui/controls/link'
import type { MailVendor } from '#lib/domain/domains/mail-vendors'

export const VENDOR_LABELS: Record<MailVendor, string> = {
  google: 'Google',
  microsoft: 'Microsoft',
  sandbox: 'Sandbox',
}

const HINTS: Record<MailVendor | 'other', string> = {
  google: 'Gmail and Workspace',
  microsoft: 'Microsoft 365, Outlook',
  other: 'Address and password',
  sandbox: 'No account needed',
}

type Props = {
  vendors: MailVendor[]
  chosen: MailVendor | 'other' | null
  /** Kept when another choice is made. */
  address?: string
}

/** Where the mailbox is hosted, which determines how it is connected. */
export function ConnectTiles({ vendors, chosen, address = '' }: Props) {
  const kept = address && `&address=${encodeURIComponent(address)}`
  const [first, others] = [vendors.filter((vendor) => vendor !== 'sandbox'), vendors.includes('sandbox')]
  const tiles = [...first, 'other' as const, ...(others ? ['sandbox' as const] : [])]
  return (
    <nav aria-label="Email provider">
      <p aria-hidden className="mb-1 text-sm font-medium">
        {chosen ? 'Choose your email provider' : 'Or choose your provider'}
      </p>
      <ul className="grid max-w-2xl grid-cols-2 gap-2 sm:grid-cols-4">
        {tiles.map((tile) => (
          <li key={tile} className="grid">
            <Link
              href={`/mailboxes/new?with=${tile}${kept}`}
              aria-current={tile === chosen ? 'true' : undefined}
              className={clsx(
                'grid min-h-16 content-center rounded-md border px-3 py-2 text-sm',
                tile === chosen
                  ? 'border-accent-text bg-accent-subtle'
                  : 'border-border bg-surface hover:bg-hover',
              )}
            >
              <span className="font-medium">{tile === 'other' ? 'Other' : VENDOR_LABELS[tile]}</span>
              <span className="text-xs text-muted">{HINTS[tile]}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
