import type { Problem } from '#components/home/problem-list'
import { excerpt } from '#components/posts/post-state'
import { NETWORK_LABELS } from '#components/senders/labels'
import type { readHome } from '#lib/services/campaigns/home'
import { reconnect } from '../accounts/actions.ts'
import { resumeCampaign } from '../campaigns/actions.ts'
import { verifyDomain } from '../domains/actions.ts'
import { testMailbox } from '../mailboxes/actions.ts'

type Found = Awaited<ReturnType<typeof readHome>>['problems']

/** One line per problem, with the page that fixes it. */
export function listProblems(state: Found): Problem[] {
  const { failed, halted, uncertain, failing, imports, domains } = state
  return [
    ...failed.map(
      ({ campaign_id, name, launch_error }): Problem => ({
        key: `failed-${campaign_id}`,
        tone: 'danger',
        kind: 'Launch failed',
        title: name,
        detail: launch_error ?? undefined,
        remedy: { href: `/campaigns/${campaign_id}/review`, label: 'Review' },
      }),
    ),
    ...failing.map(
      ({ mailbox_id, address, last_error }): Problem => ({
        key: `mailbox-${mailbox_id}`,
        tone: 'danger',
        kind: 'Cannot send',
        title: address,
        detail: last_error ?? undefined,
        remedy: { href: `/mailboxes/${mailbox_id}`, label: 'Fix the connection' },
        fix: { act: testMailbox.bind(null, mailbox_id), label: 'Try again', isOfSenders: true },
      }),
    ),
    ...lostSenders(state),
    ...domains.map(domainProblem),
    ...halted.map(haltedProblem),
    ...imports.map(
      ({ dataset_id, dataset_name }): Problem => ({
        key: `import-${dataset_id}`,
        tone: 'danger',
        kind: 'Import failed',
        title: dataset_name,
        remedy: { href: `/datasets/${dataset_id}`, label: 'See why' },
      }),
    ),
    ...uncertain.map(
      ({ campaign_id, name, uncertain_count }): Problem => ({
        key: `uncertain-${campaign_id}`,
        tone: 'warning',
        kind: 'Uncertain',
        title: name,
        detail: `${uncertain_count} ${uncertain_count === 1 ? 'message' : 'messages'} may or may not have arrived. Nothing is sent again.`,
        remedy: { href: `/campaigns/${campaign_id}/uncertain`, label: 'See which' },
      }),
    ),
  ]
}

/** Senders that partly work, and posts that were not published. */
function lostSenders({ unread, accounts, posts }: Found): Problem[] {
  return [
    ...unread.map(
      ({ mailbox_id, address, inbox_error }): Problem => ({
        key: `unread-${mailbox_id}`,
        tone: 'danger',
        kind: 'Replies unread',
        title: address,
        detail: inbox_error ?? undefined,
        remedy: { href: `/mailboxes/${mailbox_id}`, label: 'Fix the connection' },
        fix: { act: testMailbox.bind(null, mailbox_id), label: 'Try again', isOfSenders: true },
      }),
    ),
    ...accounts.map(
      ({ account_id, name, provider, status, status_reason }): Problem => ({
        key: `account-${account_id}`,
        tone: 'danger',
        kind: status === 'failing' ? 'Cannot send' : 'Disconnected',
        title: `${name} · ${NETWORK_LABELS[provider] ?? provider}`,
        detail: status_reason ?? undefined,
        remedy: { href: `/accounts/${account_id}`, label: 'See its limits' },
        fix: { act: reconnect.bind(null, account_id), label: 'Reconnect', isOfSenders: true },
      }),
    ),
    ...posts.map(
      ({ id, text, uncertain, last_error }): Problem => ({
        key: `post-${id}`,
        tone: uncertain ? 'warning' : 'danger',
        kind: uncertain ? 'Uncertain' : 'Post failed',
        title: `Post ${excerpt(text)}`,
        detail: uncertain ? 'It is unclear whether it was published.' : (last_error ?? undefined),
        remedy: { href: `/posts/${id}`, label: uncertain ? 'Confirm what happened' : 'See why' },
      }),
    ),
  ]
}

const haltedProblem = ({ campaign_id, name, paused_reason, why }: Found['halted'][number]): Problem => ({
  key: `halted-${campaign_id}`,
  tone: 'warning',
  kind: 'Paused automatically',
  title: name,
  detail: why,
  remedy: { href: `/campaigns/${campaign_id}`, label: 'See campaign' },
  // Disconnected senders and high bounce rates come first.
  ...(paused_reason === 'sender_disconnected'
    ? { fix: { act: resumeCampaign.bind(null, campaign_id), label: 'Resume', campaign_id } }
    : {}),
})

const domainProblem = ({ domain_id, domain, status }: Found['domains'][number]): Problem => ({
  key: `domain-${domain_id}`,
  tone: status === 'failed' ? 'danger' : 'warning',
  kind: status === 'failed' ? 'Domain failed' : 'Record missing',
  title: domain,
  detail: 'A DNS record it needs is missing.',
  remedy: { href: `/domains/${domain_id}`, label: 'See which' },
  fix: { act: verifyDomain.bind(null, domain_id), label: 'Look again', isOfSenders: true },
})
