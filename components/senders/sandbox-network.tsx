import type { ReactNode } from 'react'
import { ActionButton } from '#components/ui/controls/action-button'
import type { FormResult } from '#components/ui/controls/action-form'
import { Link } from '#components/ui/controls/link'
import { Badge } from '#components/ui/feedback/badge'
import { Panel } from '#components/ui/layout/panel'
import { RelativeTime } from '#components/ui/relative-time'
import { ACTION_LABELS, KIND_LABELS, NETWORK_LABELS } from './labels.tsx'

type Account = {
  id: string
  name: string
  network: string
  kind: string
  status: string
  refuse_next: number
}
type Person = { account: string; id: string; name: string; headline: string; relation: string }
type Said = {
  id: string
  person: string
  direction: string
  action_type: string
  text: string
  at: string
  isToCome: boolean
}
type Acts = Record<'signOut' | 'limit', (account: string) => Promise<FormResult>> &
  Record<'accept' | 'ignore' | 'answer', (account: string, person: string) => Promise<FormResult>>

type Props = {
  accounts: Account[]
  people: Person[]
  messages: Said[]
  posts: { id: string; text: string; at: string }[]
  now: string
  acts: Acts
}

const Nothing = ({ children }: { children: ReactNode }) => (
  <p className="p-4 text-sm text-muted">{children}</p>
)
const row =
  'flex flex-wrap items-center justify-between gap-3 border-b border-border px-4 py-2.5 last:border-0'

export function SandboxNetwork({ accounts, people, messages, posts, now, acts }: Props) {
  return (
    <div className="grid items-start gap-4 xl:grid-cols-2">
      <Panel title="Your accounts there" flush>
        {accounts.length === 0 && (
          <Nothing>
            None yet.{' '}
            <Link href="/accounts" className="text-accent-text underline">
              Connect one under Accounts
            </Link>
            .
          </Nothing>
        )}
        <ul className="text-sm">
          {accounts.map((account) => (
            <li key={account.id} className={row}>
              <AccountLine account={account} acts={acts} />
            </li>
          ))}
        </ul>
      </Panel>
      <Panel title="People your accounts have met" flush>
        {people.length === 0 && <Nothing>Nobody yet. People appear once an account contacts them.</Nothing>}
        <ul className="text-sm">
          {people.map((person) => (
            <li key={`${person.account} ${person.id}`} className={row}>
              <PersonLine person={person} acts={acts} />
            </li>
          ))}
        </ul>
      </Panel>
      <Happened messages={messages} now={now} />
      <Panel title="Posts" flush>
        {posts.length === 0 && <Nothing>Nothing published yet.</Nothing>}
        <ul className="text-sm">
          {posts.map((post) => (
            <li key={post.id} id={post.id} className="border-b border-border px-4 py-2.5 last:border-0">
              <p className="whitespace-pre-wrap wrap-anywhere">{post.text}</p>
              <p className="text-xs text-muted">
                <RelativeTime at={post.at} now={now} />
              </p>
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  )
}

function AccountLine({ account, acts }: { account: Account; acts: Acts }) {
  const isIn = account.status === 'connected'
  return (
    <>
      <span className="min-w-0">
        <span className="font-medium">{account.name}</span>
        <span className="block text-muted">
          {NETWORK_LABELS[account.network]} · {KIND_LABELS[account.kind] ?? account.kind}
          {!isIn && ' · signed out'}
          {account.refuse_next > 0 && ` · refuses the next ${account.refuse_next}`}
        </span>
      </span>
      {isIn && (
        <span className="flex flex-wrap gap-2">
          <ActionButton size="sm" act={acts.limit.bind(null, account.id)}>
            Refuse next five
          </ActionButton>
          <ActionButton size="sm" act={acts.signOut.bind(null, account.id)}>
            Sign it out
          </ActionButton>
        </span>
      )}
    </>
  )
}

function PersonLine({ person, acts }: { person: Person; acts: Acts }) {
  const { account, id } = person
  return (
    <>
      <span className="min-w-0">
        <span className="font-medium">{person.name}</span>{' '}
        {person.relation !== 'none' && <Badge>{person.relation}</Badge>}
        <span className="block text-muted">{person.headline}</span>
      </span>
      <span className="flex flex-wrap gap-2">
        {person.relation === 'invited' && (
          <>
            <ActionButton size="sm" act={acts.accept.bind(null, account, id)}>
              Accept
            </ActionButton>
            <ActionButton size="sm" act={acts.ignore.bind(null, account, id)}>
              Ignore
            </ActionButton>
          </>
        )}
        <ActionButton size="sm" act={acts.answer.bind(null, account, id)}>
          Write now
        </ActionButton>
      </span>
    </>
  )
}

function Happened({ messages, now }: Pick<Props, 'messages' | 'now'>) {
  return (
    <Panel title="What happened" flush>
      {messages.length === 0 && <Nothing>Nothing yet.</Nothing>}
      <ul className="text-sm">
        {messages.map((said) => (
          <li key={said.id} className="grid gap-0.5 border-b border-border px-4 py-2.5 last:border-0">
            <span className="flex items-baseline justify-between gap-3">
              <span className="font-medium">
                {said.direction === 'in' ? `${said.person} wrote` : `To ${said.person}`}
              </span>
              <span className="text-xs text-muted">
                {said.isToCome && 'to come '}
                <RelativeTime at={said.at} now={now} />
              </span>
            </span>
            <span className="wrap-anywhere text-muted">{said.text || ACTION_LABELS[said.action_type]}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
