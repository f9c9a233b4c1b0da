import { Pencil, RefreshCw, Trash2 } from 'lucide-react'
import { MailboxStatus } from '#components/senders/mailbox-status'
import { Outage } from '#components/senders/outage'
import { UsedBy } from '#components/senders/used-by'
import { ActionButton } from '#components/ui/controls/action-button'
import type { FormResult } from '#components/ui/controls/action-form'
import { Link } from '#components/ui/controls/link'
import { Badge } from '#components/ui/feedback/badge'
import { Callout } from '#components/ui/feedback/callout'
import { Menu } from '#components/ui/overlays/menu'
import { MenuAction, MenuLink } from '#components/ui/overlays/menu-item'
import { ZonedTime } from '#components/ui/zoned-time'
import type { ConnectedAccount } from '#lib/contracts/senders/connected-accounts'
import { POSTING_NETWORKS } from '#lib/domain/social/social-post'
import { KIND_LABELS, NETWORK_LABELS } from '../labels.tsx'
import { UsedCaps } from './used-caps.tsx'

const takesPosts = ({ provider }: ConnectedAccount) => POSTING_NETWORKS.includes(provider)

export type AccountActs = Record<
  'reconnect' | 'remove' | 'prefer',
  (account_id: string) => Promise<FormResult>
>

type Props = { accounts: ConnectedAccount[]; now: string; acts: AccountActs }

export function AccountList({ accounts, now, acts }: Props) {
  return (
    <ul className="grid items-start gap-4 xl:grid-cols-2">
      {accounts.map((account) => (
        <AccountCard key={account.account_id} account={account} now={now} acts={acts} />
      ))}
    </ul>
  )
}

function AccountCard({ account, now, acts }: Omit<Props, 'accounts'> & { account: ConnectedAccount }) {
  const { account_id: id, name, limits, status } = account
  return (
    <li className="flex flex-col gap-3 rounded-md border border-border bg-surface p-4 text-sm">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <Link
            href={`/accounts/${id}`}
            data-row-link
            className="rounded-xs font-medium wrap-anywhere hover:underline"
          >
            {name}
          </Link>
          <p className="text-muted">
            {NETWORK_LABELS[account.provider]} · {KIND_LABELS[account.kind] ?? account.kind}
            {account.handle && ` · ${account.handle}`}
          </p>
        </div>
        <span className="flex items-center gap-1">
          <MailboxStatus status={account.status} />
          <AccountMenu account={account} acts={acts} />
        </span>
      </div>
      <p className="flex flex-wrap gap-1 empty:hidden">
        {account.is_default && takesPosts(account) && <Badge tone="accent">Default for posts</Badge>}
        {account.driver === 'sandbox' && <Badge>Sandbox</Badge>}
      </p>
      {account.failing_cause && (
        <Outage
          cause={account.failing_cause}
          said={account.status_reason}
          next_try_at={account.next_try_at}
          now={now}
        />
      )}
      {status === 'disconnected' && (
        <Callout
          tone="danger"
          title="Reconnect this account"
          action={
            <ActionButton size="sm" act={acts.reconnect.bind(null, id)}>
              <RefreshCw aria-hidden /> Reconnect
            </ActionButton>
          }
        >
          {account.status_reason}
        </Callout>
      )}
      <UsedCaps caps={limits.caps} name={name} path={`/accounts/${id}`} />
      {limits.used_today > 0 && (
        <div>
          <p className="mb-1 text-xs font-medium text-muted">Used today by</p>
          <UsedBy uses={limits.used_by} used_today={limits.used_today} />
        </div>
      )}
      <p className="mt-auto border-t border-border pt-3 text-muted">
        {limits.today !== null && `Ramping up: ${limits.used_today} of ${limits.today} actions today. `}
        Days begin at midnight in {limits.timezone}, next{' '}
        <ZonedTime at={limits.resets_at} zone={limits.timezone} />; a week is any seven days in a row.
        {account.min_interval_seconds > 0 && ` ${account.min_interval_seconds} s between actions.`}
      </p>
    </li>
  )
}

function AccountMenu({ account, acts }: { account: ConnectedAccount; acts: AccountActs }) {
  const { account_id: id, name } = account
  return (
    <Menu label={`More for ${name}`}>
      <MenuLink href={`/accounts/${id}`}>
        <Pencil aria-hidden /> Edit limits
      </MenuLink>
      {!account.is_default && takesPosts(account) && (
        <MenuAction act={acts.prefer.bind(null, id)}>Make default for posts</MenuAction>
      )}
      <MenuAction act={acts.reconnect.bind(null, id)}>
        <RefreshCw aria-hidden /> Reconnect
      </MenuAction>
      <MenuAction
        act={acts.remove.bind(null, id)}
        danger
        confirm={{
          title: `Disconnect ${name}?`,
          description:
            'The account is deleted here and at its provider. What was already sent is not affected.',
          label: 'Disconnect',
          danger: true,
        }}
      >
        <Trash2 aria-hidden /> Disconnect
      </MenuAction>
    </Menu>
  )
}
